import type { IncomingMessage } from 'node:http';
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { readYamlLeniently } from '@/lib/yaml/yaml';
import { jsonTypeName } from '../errors/json-type-name';
import { badRequest } from '../errors/status';
import { decodeProtobuf } from '../protobuf/decode-protobuf';
import { WireError } from '../protobuf/wire';
import { checkDepth, readBody, readBytes } from './body';
import { goJsonError } from './go-json';
import { contentTypeOf, unsupportedMediaType } from './negotiation';

const BUILTIN_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** The body of a create or update as JSON, and what is odd in its text (duplicate fields). */
export interface ParsedBody {
  readonly value: JsonObject;
  readonly duplicates: readonly string[];
}

/** Reads the body of a create or update of a kind. 415 for other types, 400 for what is no object. */
export async function parseObjectBody(request: IncomingMessage, kind: string): Promise<ParsedBody> {
  const type = contentTypeOf(request.headers['content-type']);
  if (type === 'application/vnd.kubernetes.protobuf')
    return { value: await parseProtobuf(request, kind), duplicates: [] };
  if (type !== 'application/json' && type !== 'application/yaml') throw unsupportedMediaType(BUILTIN_TYPES);
  const text = await readBody(request);
  const body =
    type === 'application/json' ? { value: parseJsonObject(text, kind), duplicates: [] } : parseYamlObject(text, kind);
  checkDepth(body.value);
  return body;
}

async function parseProtobuf(request: IncomingMessage, kind: string): Promise<JsonObject> {
  try {
    return decodeProtobuf(await readBytes(request));
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw badRequest(`the object provided is unrecognized (must be of type ${kind}): ${error.message}`);
  }
}

function parseJsonObject(text: string, kind: string): JsonObject {
  const unrecognized = (why: string): Error => {
    const shown = text === '' ? '<empty>' : text;
    return badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${why} (${shown})`,
    );
  };
  let parsed: JsonValue;
  try {
    parsed = JSON.parse(text) as JsonValue;
  } catch {
    throw unrecognized(goJsonError(text));
  }
  if (parsed === null) return {};
  if (!isJsonObject(parsed)) {
    throw unrecognized(`json: cannot unmarshal ${jsonTypeName(parsed)} into Go value of type struct`);
  }
  return parsed;
}

function parseYamlObject(text: string, kind: string): ParsedBody {
  const { result, duplicates } = readYamlLeniently(text);
  if (!result.ok) throw badRequest(`error converting YAML to JSON: yaml: ${result.problems[0]?.message ?? 'invalid'}`);
  if (result.value !== null && !isJsonObject(result.value)) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeName(result.value)} into Go value of type struct`,
    );
  }
  const texts = duplicates.map(({ key, line }) => `line ${line}: key ${JSON.stringify(key)} already set in map`);
  return { value: result.value ?? {}, duplicates: texts };
}
