import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '@/lib/json/json';
import { readYaml } from '@/lib/yaml/yaml';
import { jsonTypeName } from '../errors/json-type-name';
import { badRequest, invalid } from '../errors/status';
import { readBytes } from '../exchange/body';
import type { Exchange } from '../exchange/exchange';
import { goJsonError } from '../exchange/go-json';
import { contentTypeOf } from '../exchange/negotiation';
import type { FieldError } from '../kinds/base/strategy';
import { FieldFault } from '../kinds/decode/decode-error';
import { decodeBoolean, decodeInteger, decodeString, typeFault } from '../kinds/decode/scalar-decoders';
import { decodeProtobuf } from '../protobuf/decode-protobuf';
import { WireError } from '../protobuf/wire';
import { isTrue } from '../rbac/request-info';
import type { DeleteRequest } from '../registry/delete';
import { integer } from './list-options';

const POLICIES = ['Foreground', 'Background', 'Orphan'];

/** DeleteOptions from the body, or from the query when there is no body. 400 and 422 for what is not valid. */
export async function parseDeleteOptions(exchange: Exchange): Promise<DeleteRequest & { dryRun: boolean }> {
  const given = await givenOptions(exchange);
  checkTypes(given);
  const policy = given.propagationPolicy;
  const errors = optionErrors(given);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  return {
    gracePeriodSeconds: typeof given.gracePeriodSeconds === 'number' ? given.gracePeriodSeconds : undefined,
    propagationPolicy: policy as DeleteRequest['propagationPolicy'],
    orphanDependents: typeof given.orphanDependents === 'boolean' ? given.orphanDependents : undefined,
    uid: stringAt(given, 'preconditions', 'uid'),
    resourceVersion: stringAt(given, 'preconditions', 'resourceVersion'),
    dryRun: Array.isArray(given.dryRun) && given.dryRun.length > 0,
  };
}

async function givenOptions(exchange: Exchange): Promise<JsonObject> {
  const bytes = await readBytes(exchange.request);
  if (
    contentTypeOf(exchange.request.headers['content-type']) === 'application/vnd.kubernetes.protobuf' &&
    bytes.length > 0
  ) {
    return decodeOptions(bytes);
  }
  const text = bytes.toString('utf8');
  return text.trim() === '' ? fromQuery(exchange.query) : fromBody(text, exchange);
}

function decodeOptions(bytes: Buffer): JsonObject {
  try {
    return decodeProtobuf(bytes);
  } catch (error) {
    if (error instanceof WireError) throw badRequest(error.message);
    throw error;
  }
}

function fromQuery(query: URLSearchParams): JsonObject {
  const options: JsonObject = {};
  const grace = integer(query.get('gracePeriodSeconds'));
  if (grace !== undefined) options.gracePeriodSeconds = grace;
  if (query.has('orphanDependents')) options.orphanDependents = isTrue(query.get('orphanDependents'));
  const policy = query.get('propagationPolicy');
  if (policy !== null) options.propagationPolicy = policy;
  if (query.has('dryRun')) options.dryRun = query.getAll('dryRun');
  return options;
}

function fromBody(text: string, exchange: Exchange): JsonObject {
  const isYaml = contentTypeOf(exchange.request.headers['content-type']) === 'application/yaml';
  const body = (isYaml ? yaml(text) : json(text)) ?? {};
  if (!isJsonObject(body)) {
    throw badRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeName(body)} into Go value of type struct`,
    );
  }
  const kind = stringAt(body, 'kind');
  if (kind !== undefined && kind !== '' && kind !== 'DeleteOptions') {
    const version = stringAt(body, 'apiVersion') ?? 'meta.k8s.io/v1';
    throw badRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(version)} in scheme "k8s.io/apimachinery"`,
    );
  }
  if (exchange.query.has('dryRun') && body.dryRun === undefined) body.dryRun = exchange.query.getAll('dryRun');
  return body;
}

function yaml(text: string): JsonValue {
  const result = readYaml(text);
  if (!result.ok) throw badRequest(`yaml: ${result.problems[0]?.message ?? 'invalid'}`);
  return result.value;
}

function json(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw badRequest(`couldn't get version/kind; json parse error: ${goJsonError(text)}`);
  }
}

/** A field of the wrong type refuses the whole request: what says `dryRun: All` must not delete. */
function checkTypes(options: JsonObject): void {
  try {
    for (const [field, decode] of FIELDS) {
      const value = options[field] ?? null;
      if (value !== null) decode(value, field);
    }
  } catch (error) {
    if (error instanceof FieldFault) throw badRequest(error.message);
    throw error;
  }
}

const FIELDS: readonly (readonly [name: string, decode: (value: JsonValue, field: string) => unknown])[] = [
  ['gracePeriodSeconds', decodeInteger('int64')],
  ['orphanDependents', decodeBoolean],
  ['propagationPolicy', decodeString],
  ['dryRun', decodeDryRun],
  ['preconditions', decodePreconditions],
];

function decodeDryRun(value: JsonValue, field: string): void {
  if (!Array.isArray(value)) throw typeFault(value, field, '[]string');
  for (const each of value) decodeString(each, field);
}

function decodePreconditions(value: JsonValue, field: string): void {
  if (!isJsonObject(value)) throw typeFault(value, field, 'v1.Preconditions');
  for (const name of ['uid', 'resourceVersion']) {
    const given = value[name] ?? null;
    if (given !== null) decodeString(given, `${field}.${name}`);
  }
}

/** apimachinery meta/v1/validation ValidateDeleteOptions. */
function optionErrors(options: JsonObject): FieldError[] {
  const { propagationPolicy: policy, orphanDependents, dryRun } = options;
  const errors: FieldError[] = [];
  if (policy !== undefined && policy !== null && orphanDependents !== undefined && orphanDependents !== null) {
    const message = `Invalid value: ${JSON.stringify(policy)}: orphanDependents and deletionPropagation cannot be both set`;
    errors.push({ field: 'propagationPolicy', type: 'FieldValueInvalid', message });
  }
  if (policy !== undefined && policy !== null && !POLICIES.includes(String(policy))) {
    const message = `Unsupported value: ${JSON.stringify(policy)}: supported values: "Foreground", "Background", "Orphan", "nil"`;
    errors.push({ field: 'propagationPolicy', type: 'FieldValueNotSupported', message });
  }
  if (Array.isArray(dryRun) && dryRun.some((each) => each !== 'All')) {
    const message = `Unsupported value: ${JSON.stringify(dryRun)}: supported values: "All"`;
    errors.push({ field: 'dryRun', type: 'FieldValueNotSupported', message });
  }
  return errors;
}
