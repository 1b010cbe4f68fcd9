import { stringAt } from '@/lib/json/json';
import { formatApiVersion, type KubeObject } from '@/lib/kube/object';
import { invalid } from '@/lib/schema/field-error';
import { badRequest, invalidStatus } from '../errors/status';
import type { WriteContext } from './context';
import type { ResourceInfo } from './resource-info';

/** The apiVersion and kind that a resource (or its subresource) takes. */
export function expectedKind({ group, version, kind }: ResourceInfo): Pick<KubeObject, 'apiVersion' | 'kind'> {
  return { apiVersion: formatApiVersion(group, version), kind };
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
    body.apiVersion ||= expected.apiVersion;
    body.kind ||= expected.kind;
  }
  const apiVersion = stringAt(body, 'apiVersion') ?? '';
  const kind = stringAt(body, 'kind') ?? '';
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
  const error = invalid('kind', kind, `must be ${info.kind}`);
  throw invalidStatus({ group: info.group, kind }, stringAt(body, 'metadata', 'name') ?? '', [error]);
}

function reportFields(
  info: ResourceInfo,
  unknownFields: readonly string[],
  duplicates: readonly string[],
  context: WriteContext,
): void {
  const { fieldValidation, warnings } = context;
  if (fieldValidation === 'Ignore') return;
  // Strict YAML wraps its findings in an error of the reader.
  const twice = duplicates.map((text) => (fieldValidation === 'Strict' ? `yaml: unmarshal errors:\n  ${text}` : text));
  const texts = [...twice, ...unknownFields.map((field) => `unknown field "${field}"`)];
  if (fieldValidation === 'Warn') warnings.push(...texts);
  if (fieldValidation === 'Warn' || texts.length === 0) return;
  const detail = `strict decoding error: ${texts.join(', ')}`;
  throw badRequest(`${info.kind} in version "${info.version}" cannot be handled as a ${info.kind}: ${detail}`);
}
