import type { KubeObject } from '@/lib/kube/object';
import { formatApiVersion } from '@/lib/kube/object';
import type { StoredObject } from '../store/collection';
import { convertBuiltin } from './convert-builtin';
import type { ResourceInfo } from './resource-info';

interface Form {
  readonly object: KubeObject;
  readonly json: string;
}

const forms = new WeakMap<StoredObject, Map<string, Form>>();

/** A stored object as one version of its resource shows it; made once for each version. */
export function inVersion(info: ResourceInfo, stored: StoredObject): Form {
  const apiVersion = formatApiVersion(info.group, info.version);
  if (stored.object.apiVersion === apiVersion) return stored;
  const known = forms.get(stored) ?? new Map<string, Form>();
  forms.set(stored, known);
  const found = known.get(apiVersion);
  if (found !== undefined) return found;
  const object = convertTo(info, stored.object);
  const { kind, apiVersion: version, ...rest } = object;
  const form = { object, json: JSON.stringify({ kind, apiVersion: version, ...rest }) };
  known.set(apiVersion, form);
  return form;
}

/** A copy of an object in the version of a resource. Custom resources change their apiVersion only (strategy None). */
export function convertTo(info: ResourceInfo, object: KubeObject): KubeObject {
  const apiVersion = formatApiVersion(info.group, info.version);
  if (object.apiVersion === apiVersion) return object;
  if (info.custom !== undefined) return { ...object, apiVersion };
  return convertBuiltin(object, apiVersion);
}
