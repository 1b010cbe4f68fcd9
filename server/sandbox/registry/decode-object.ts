import { formatApiVersion, type KubeObject } from '@/lib/kube/object';
import { badRequest, invalid } from '../errors/status';
import type { WriteContext } from './context';
import type { ResourceInfo } from './resource-info';

/** The apiVersion and kind that a resource (or its subresource) takes. */
export interface ExpectedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

export function expectedKind(info: ResourceInfo): ExpectedKind {
  return { apiVersion: formatApiVersion(info.group, info.version), kind: info.kind };
}

/**
 * Outside JSON as an object of a kind: apiVersion and kind filled in (built-ins) and compared, unknown fields dropped and
 * reported as `fieldValidation` says, defaults filled. 400 for another kind, a wrong type, or an unknown field under Strict.
 */
export function decodeObject(
  info: ResourceInfo,
  body: KubeObject,
  context: WriteContext,
  duplicates: readonly string[] = [],
): KubeObject {
  const { object, unknownFields } = info.strategy.decode(body);
  reportFields(info, unknownFields, duplicates, context);
  info.strategy.applyDefaults(object);
  return object;
}

/** Compares apiVersion and kind of a body with what the path takes; a built-in may leave both out. */
export function checkKind(info: ResourceInfo, body: { [key: string]: unknown }): void {
  const expected = expectedKind(info);
  if (info.custom === undefined) {
    body.apiVersion ??= expected.apiVersion;
    body.kind ??= expected.kind;
    if (body.apiVersion === '') body.apiVersion = expected.apiVersion;
    if (body.kind === '') body.kind = expected.kind;
  }
  const apiVersion = typeof body.apiVersion === 'string' ? body.apiVersion : '';
  const kind = typeof body.kind === 'string' ? body.kind : '';
  if (kind === '') {
    const text = JSON.stringify(body);
    throw badRequest(
      `the object provided is unrecognized (must be of type ${info.kind}): Object 'Kind' is missing in '${text}' (${text})`,
    );
  }
  if (apiVersion !== expected.apiVersion) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected.apiVersion})`,
    );
  }
  if (kind === expected.kind) return;
  if (info.custom === undefined) {
    throw badRequest(
      `${info.kind} in version "${info.version}" cannot be handled as a ${info.kind}: converting (${kind})`,
    );
  }
  const metadata = body.metadata as { name?: string } | undefined;
  throw invalid({ group: info.group, kind }, metadata?.name ?? '', [
    {
      field: 'kind',
      type: 'FieldValueInvalid',
      message: `Invalid value: ${JSON.stringify(kind)}: must be ${info.kind}`,
    },
  ]);
}

/** Strict YAML wraps its findings in an error of the reader. */
function strictly(text: string, { fieldValidation }: WriteContext): string {
  return fieldValidation === 'Strict' && text.startsWith('line ') ? `yaml: unmarshal errors:\n  ${text}` : text;
}

function reportFields(
  info: ResourceInfo,
  unknownFields: readonly string[],
  duplicates: readonly string[],
  context: WriteContext,
): void {
  if (context.fieldValidation === 'Ignore') return;
  const texts = [
    ...duplicates.map((text) => strictly(text, context)),
    ...unknownFields.map((field) => `unknown field "${field}"`),
  ];
  if (texts.length === 0) return;
  if (context.fieldValidation === 'Warn') {
    context.warnings.push(...texts);
    return;
  }
  const detail = `strict decoding error: ${texts.join(', ')}`;
  throw badRequest(`${info.kind} in version "${info.version}" cannot be handled as a ${info.kind}: ${detail}`);
}
