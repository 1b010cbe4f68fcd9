import { arrayAt, isJsonObject, type JsonObject, numberAt, stringAt } from '@/lib/json/json';
import { componentSchema } from '@/lib/kube/builtin/builtin';
import { invalid, notSupported } from '@/lib/schema/field-error';
import { badRequest, invalidStatus } from '../errors/status';
import { readBytes } from '../exchange/body';
import type { Exchange } from '../exchange/exchange';
import { parseBody } from '../exchange/parse-object';
import { dryRunErrors } from '../exchange/write-options';
import type { FieldError } from '../kinds/base/strategy';
import { FieldFault } from '../kinds/decode/decode-error';
import { decoderOf } from '../kinds/decode/typed-decoder';
import { isTrue } from '../rbac/request-info';
import type { DeleteRequest } from '../registry/delete';
import { integer } from './list-options';

const DELETE_OPTIONS = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';
const POLICIES = ['Foreground', 'Background', 'Orphan'] as const;

/** DeleteOptions from the body, or from the query when there is no body. 400 and 422 for what is not valid. */
export async function parseDeleteOptions(exchange: Exchange): Promise<DeleteRequest & { dryRun: boolean }> {
  const bytes = await readBytes(exchange.request);
  const given = bytes.length === 0 ? fromQuery(exchange.query) : fromBody(exchange, bytes);
  const errors = optionErrors(given);
  if (errors.length > 0) throw invalidStatus({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  return {
    gracePeriodSeconds: numberAt(given, 'gracePeriodSeconds'),
    propagationPolicy: POLICIES.find((policy) => policy === given.propagationPolicy),
    orphanDependents: typeof given.orphanDependents === 'boolean' ? given.orphanDependents : undefined,
    uid: stringAt(given, 'preconditions', 'uid'),
    resourceVersion: stringAt(given, 'preconditions', 'resourceVersion'),
    dryRun: arrayAt(given, 'dryRun').length > 0,
  };
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

function fromBody({ request, query }: Exchange, bytes: Buffer): JsonObject {
  const { value } = parseBody(request, bytes);
  const kind = stringAt(value, 'kind') ?? '';
  if (kind !== '' && kind !== 'DeleteOptions') {
    const version = stringAt(value, 'apiVersion') ?? 'meta.k8s.io/v1';
    throw badRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(version)} in scheme "k8s.io/apimachinery"`,
    );
  }
  if (query.has('dryRun') && value.dryRun === undefined) value.dryRun = query.getAll('dryRun');
  return checked(value);
}

/** A field of the wrong type refuses the whole request: what says `dryRun: All` must not delete. */
function checked(value: JsonObject): JsonObject {
  try {
    const options = decoderOf(componentSchema(DELETE_OPTIONS) ?? {})(value, '', []);
    return isJsonObject(options) ? options : {};
  } catch (error) {
    throw error instanceof FieldFault ? badRequest(error.message) : error;
  }
}

/** apimachinery meta/v1/validation ValidateDeleteOptions. */
function optionErrors(options: JsonObject): FieldError[] {
  const { propagationPolicy: policy, orphanDependents } = options;
  const errors: FieldError[] = [];
  if (policy !== undefined && orphanDependents !== undefined) {
    errors.push(invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'));
  }
  if (policy !== undefined && !POLICIES.some((each) => each === policy)) {
    errors.push(notSupported('propagationPolicy', policy, [...POLICIES, 'nil']));
  }
  return [...errors, ...dryRunErrors(arrayAt(options, 'dryRun'))];
}
