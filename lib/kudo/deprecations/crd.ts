import { cloneJson, isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { structuralSchema } from './structural-schema';
import { specOf } from './workload';

const APPROVAL = 'api-approved.kubernetes.io';

/**
 * CustomResourceDefinition v1: v1 repeats for each version what v1beta1 said once; schemas must be
 * structural; unknown fields are kept only where the schema says so (v1beta1 kept them by default).
 */
export function toCrdV1(object: KubeObject): string | undefined {
  const spec = specOf(object);
  const { version, validation, subresources, additionalPrinterColumns, preserveUnknownFields, ...rest } = spec;
  const shared: JsonObject = {};
  const schema = isJsonObject(validation) ? validation.openAPIV3Schema : undefined;
  if (subresources !== undefined) shared.subresources = subresources;
  if (additionalPrinterColumns !== undefined) shared.additionalPrinterColumns = additionalPrinterColumns;
  const versions = Array.isArray(spec.versions) && spec.versions.length > 0 ? spec.versions : [onlyVersion(version)];
  const keepsUnknown = preserveUnknownFields !== false;
  const next: JsonObject = {
    ...rest,
    scope: rest.scope ?? 'Namespaced',
    versions: versions.map((each) => (isJsonObject(each) ? toVersion(each, shared, schema, keepsUnknown) : each)),
  };
  if (isJsonObject(rest.conversion)) next.conversion = toConversion(rest.conversion);
  object.spec = next;
  approve(object, spec.group);
  delete object.status;
  return keepsUnknown ? 'fields that its schema does not know are kept, as before' : undefined;
}

/** v1 requires an approval annotation for groups in Kubernetes' own domains; v1beta1 did not. */
function approve(object: KubeObject, group: JsonValue | undefined): void {
  if (typeof group !== 'string' || !/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return;
  object.metadata.annotations = { [APPROVAL]: 'unapproved, moved from v1beta1', ...object.metadata.annotations };
}

function onlyVersion(name: JsonValue | undefined): JsonObject {
  return { name: name ?? 'v1', served: true, storage: true };
}

function toVersion(
  version: JsonObject,
  shared: JsonObject,
  schema: JsonValue | undefined,
  keepsUnknown: boolean,
): JsonObject {
  const next: JsonObject = { ...cloneJson(shared), ...version };
  const own = isJsonObject(version.schema) ? version.schema.openAPIV3Schema : undefined;
  const found = own ?? schema;
  const structural = structuralSchema(isJsonObject(found) ? cloneJson(found) : {}, { isRoot: true, keepsUnknown });
  next.schema = { openAPIV3Schema: structural };
  if (Array.isArray(next.additionalPrinterColumns)) {
    next.additionalPrinterColumns = next.additionalPrinterColumns.map(toColumn);
  }
  return next;
}

/** `JSONPath` is `jsonPath` in v1. */
function toColumn(column: JsonValue): JsonValue {
  if (!isJsonObject(column) || column.JSONPath === undefined) return column;
  const { JSONPath, ...rest } = column;
  return { ...rest, jsonPath: JSONPath };
}

function toConversion(conversion: JsonObject): JsonObject {
  const { webhookClientConfig, conversionReviewVersions, ...rest } = conversion;
  if (webhookClientConfig === undefined) return rest;
  const webhook: JsonObject = {
    clientConfig: webhookClientConfig,
    conversionReviewVersions: conversionReviewVersions ?? ['v1beta1'],
  };
  return { ...rest, webhook };
}
