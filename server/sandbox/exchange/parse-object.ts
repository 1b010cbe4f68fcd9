import type { IncomingMessage } from 'node:http';
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { readYamlLeniently } from '@/lib/yaml/yaml';
import { jsonTypeName } from '../errors/json-type-name';
import { badRequest } from '../errors/status';
import { decodeProtobuf } from '../protobuf/decode-protobuf';
import { WireError } from '../protobuf/wire';
import type { WriteContext } from '../registry/context';
import { checkKind, decodeObject } from '../registry/decode-object';
import type { ResourceInfo } from '../registry/resource-info';
import { checkDepth, readBytes } from './body';
import type { Exchange } from './exchange';
import { parseJsonAsGo } from './go-json';
import { contentTypeOf, MEDIA_TYPES, unsupportedMediaType } from './negotiation';

/** A body as JSON, and what is odd in its text (duplicate fields). */
interface ParsedBody {
  readonly value: JsonObject;
  readonly duplicates: readonly string[];
}

/** The body of a create or update: parsed, of the right kind, decoded and defaulted. */
export async function readObject(
  { request }: Exchange,
  info: ResourceInfo,
  context: WriteContext,
): Promise<KubeObject> {
  const { value, duplicates } = parseBody(request, await readBytes(request), info.kind);
  checkKind(info, value);
  value.metadata ??= {};
  if (!isJsonObject(value.metadata)) {
    throw badRequest(
      `${info.kind} in version "${info.version}" cannot be handled as a ${info.kind}: json: cannot unmarshal string into Go struct field ObjectMeta.metadata of type v1.ObjectMeta`,
    );
  }
  return decodeObject(info, value as unknown as KubeObject, context, duplicates);
}

/** The body of a request as a JSON object of a kind. 415 for other types, 400 for what is no object. */
export async function readJsonObject(request: IncomingMessage, kind: string): Promise<JsonObject> {
  return parseBody(request, await readBytes(request), kind).value;
}

/** The same of bytes that were read; messages name the kind when it is given. */
export function parseBody({ headers }: IncomingMessage, bytes: Buffer, kind?: string): ParsedBody {
  const text = () => bytes.toString('utf8');
  const refuse = (why: string): Error =>
    badRequest(kind === undefined ? why : `the object provided is unrecognized (must be of type ${kind}): ${why}`);
  const unparsed = (why: string): Error => refuse(`couldn't get version/kind; json parse error: ${why}`);
  switch (contentTypeOf(headers['content-type'])) {
    case 'application/json': {
      const shown = kind === undefined ? '' : ` (${text() || '<empty>'})`;
      const fault = (why: string): Error => unparsed(`${why}${shown}`);
      return { value: objectOf(parseJsonAsGo(text(), fault), fault), duplicates: [] };
    }
    case 'application/yaml': {
      const { result, duplicates } = readYamlLeniently(text());
      if (!result.ok)
        throw badRequest(`error converting YAML to JSON: yaml: ${result.problems[0]?.message ?? 'invalid'}`);
      const twice = duplicates.map(({ key, line }) => `line ${line}: key ${JSON.stringify(key)} already set in map`);
      return { value: objectOf(result.value, unparsed), duplicates: twice };
    }
    case 'application/vnd.kubernetes.protobuf':
      return { value: parseProtobuf(bytes, refuse), duplicates: [] };
    default:
      throw unsupportedMediaType(MEDIA_TYPES);
  }
}

function objectOf(value: JsonValue, refuse: (why: string) => Error): JsonObject {
  checkDepth(value);
  if (value === null) return {};
  if (isJsonObject(value)) return value;
  throw refuse(`json: cannot unmarshal ${jsonTypeName(value)} into Go value of type struct`);
}

function parseProtobuf(bytes: Buffer, refuse: (why: string) => Error): JsonObject {
  try {
    return decodeProtobuf(bytes);
  } catch (error) {
    throw error instanceof WireError ? refuse(error.message) : error;
  }
}
