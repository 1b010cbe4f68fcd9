import { cloneJson } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { formatApiVersion } from '@/lib/kube/object';
import type { KindStrategy } from '../kinds/base/strategy';
import type { StoredObject } from '../store/collection';
import { convertBuiltin } from './convert-builtin';
import type { ResourceInfo } from './resource-info';

type Form = Pick<StoredObject, 'object' | 'json'>;

const forms = new WeakMap<StoredObject, WeakMap<KindStrategy, Form>>();

/** A stored object as one version of its resource shows it; made once for each version and schema. */
export function inVersion(info: ResourceInfo, stored: StoredObject): Form {
  const apiVersion = formatApiVersion(info.group, info.version);
  if (info.custom === undefined && stored.object.apiVersion === apiVersion) return stored;
  const known = forms.get(stored) ?? new WeakMap<KindStrategy, Form>();
  forms.set(stored, known);
  const found = known.get(info.strategy);
  if (found !== undefined) return found;
  const form =
    info.custom === undefined
      ? asStored(convertBuiltin(stored.object, apiVersion), stored.revision)
      : customForm(info, stored);
  known.set(info.strategy, form);
  return form;
}

/** Remembers that an object was just written under its present schema. */
export function markCurrent(info: ResourceInfo, stored: StoredObject): void {
  if (info.custom === undefined || stored.object.apiVersion !== formatApiVersion(info.group, info.version)) return;
  const known = forms.get(stored) ?? new WeakMap<KindStrategy, Form>();
  forms.set(stored, known.set(info.strategy, stored));
}

/** A copy of an object in the version of a resource. Custom resources change their apiVersion only (strategy None). */
export function convertTo(info: ResourceInfo, object: KubeObject): KubeObject {
  const apiVersion = formatApiVersion(info.group, info.version);
  if (object.apiVersion === apiVersion) return object;
  if (info.custom !== undefined) return { ...object, apiVersion };
  return convertBuiltin(object, apiVersion);
}

/** Reading prunes and fills defaults by the schema of today. */
function customForm(info: ResourceInfo, stored: StoredObject): Form {
  const { object } = info.strategy.decode(cloneJson(convertTo(info, stored.object)));
  info.strategy.applyDefaults(object);
  return asStored(object, stored.revision);
}

/** An object that is not written, in the form of one that is. */
export function asStored(object: KubeObject, revision: number): StoredObject {
  const { kind, apiVersion, ...rest } = object;
  return { object, revision, json: JSON.stringify({ kind, apiVersion, ...rest }) };
}
