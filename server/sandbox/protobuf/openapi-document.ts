/**
 * An OpenAPI v2 document in protobuf (gnostic's openapi.v2.Document) that says the version and nothing else. kubectl asks
 * for this form only; without definitions it leaves the checking of fields to the server.
 */
export function emptyOpenApiDocument(version: string): Buffer {
  const info = Buffer.concat([text(1, 'Kubernetes'), text(2, version)]);
  return Buffer.concat([text(1, '2.0'), bytes(2, info)]);
}

function text(number: number, value: string): Buffer {
  return bytes(number, Buffer.from(value, 'utf8'));
}

/** A length-delimited field of fewer than 128 bytes. */
function bytes(number: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, value.length]), value]);
}
