import type { JsonObject } from '@/lib/json/json';
import { ensureObject, fill, objectOf, objectsOf, textOf } from '../base/access';

/** Defaults of a CustomResourceDefinition (apiextensions v1 SetDefaults_CustomResourceDefinitionSpec). */
export function defaultDefinition(crd: JsonObject): void {
  const spec = ensureObject(crd, 'spec');
  const names = ensureObject(spec, 'names');
  const kind = textOf(names, 'kind');
  if (kind !== '') {
    if (textOf(names, 'singular') === '') names.singular = kind.toLowerCase();
    if (textOf(names, 'listKind') === '') names.listKind = `${kind}List`;
  }
  // The API server leaves out what is false by itself.
  if (spec.preserveUnknownFields === false) delete spec.preserveUnknownFields;
  const conversion = ensureObject(spec, 'conversion');
  if (textOf(conversion, 'strategy') === '') conversion.strategy = 'None';
  fill(objectOf(objectOf(objectOf(conversion, 'webhook'), 'clientConfig'), 'service'), { port: 443 });
}

/** The status of a new definition: the controller accepts its names later. */
export function newStatus(crd: JsonObject): JsonObject {
  const storage = objectsOf(objectOf(crd, 'spec'), 'versions').find((version) => version.storage === true);
  return {
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: storage === undefined ? null : [textOf(storage, 'name')],
  };
}

/** A version that becomes the storage version is remembered. */
export function rememberStorageVersion(crd: JsonObject): void {
  const status = ensureObject(crd, 'status');
  const storage = objectsOf(objectOf(crd, 'spec'), 'versions').find((version) => version.storage === true);
  const stored = Array.isArray(status.storedVersions) ? status.storedVersions : [];
  if (storage !== undefined && !stored.includes(textOf(storage, 'name'))) {
    status.storedVersions = [...stored, textOf(storage, 'name')];
  }
}
