import { request } from '@/components/live/request';
import { isJsonObject, type JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { isKubeObject } from '@/lib/kube/object';
import { readYaml, writeYaml } from '@/lib/yaml/yaml';
import { type ObjectAddress, objectPath, readStoredObject } from './object-address';
import { hasMark, restoreSecrets } from './secret-mask';

export { type ObjectAddress, objectPath, readStoredObject } from './object-address';

/** The text that is edited: in the usual order, without `managedFields`, which nobody writes by hand. */
export function draftText(object: KubeObject): string {
  const { managedFields: _, ...metadata } = object.metadata;
  const { apiVersion, kind, metadata: _metadata, status, ...rest } = object;
  return writeYaml({ apiVersion, kind, metadata, ...rest, ...(status === undefined ? {} : { status }) });
}

/**
 * The object in an edited text, when it may be saved as the given one; else why not, as a sentence.
 * Masked values stay masked.
 */
export function parseDraft(text: string, original: KubeObject): { object: KubeObject } | { refusal: string } {
  const result = readYaml(text);
  if (!result.ok) return { refusal: result.problems[0]?.message ?? 'The text is not valid YAML.' };
  if (!isKubeObject(result.value))
    return { refusal: 'The text is not a Kubernetes object: apiVersion, kind or metadata is missing.' };
  const object = result.value;
  const moved = (['name', 'namespace', 'uid'] as const).find((key) => object.metadata[key] !== original.metadata[key]);
  if (object.kind !== original.kind || object.apiVersion !== original.apiVersion) {
    return {
      refusal: `The kind of an object cannot change: this object is a ${original.apiVersion} ${original.kind}.`,
    };
  }
  if (moved !== undefined) {
    return { refusal: `metadata.${moved} cannot change. Create another object instead.` };
  }
  return { object };
}

/**
 * Writes an edited object over the stored one, only if the stored one still has the same resourceVersion.
 *
 * @throws RequestError; 409 when the object was changed meanwhile
 */
export async function saveObject(address: ObjectAddress, edited: KubeObject): Promise<KubeObject> {
  const body = hasMark(edited as JsonObject) ? await withSecrets(address, edited) : edited;
  return request<KubeObject>(`${objectPath(address)}?fieldManager=bravo-console&fieldValidation=Strict`, {
    method: 'PUT',
    body,
  });
}

async function withSecrets(address: ObjectAddress, edited: KubeObject): Promise<unknown> {
  const stored = await readStoredObject(address);
  const { value, lost } = restoreSecrets(edited as JsonObject, stored as JsonObject);
  const [first] = lost;
  if (first !== undefined) throw new Error(`${first} is masked, but no value is stored there. Enter a value.`);
  return isJsonObject(value) ? value : edited;
}

/** The same draft on top of a newer version: what is written then replaces that one. */
export function rebase(edited: KubeObject, live: KubeObject): KubeObject {
  const { resourceVersion } = live.metadata;
  return { ...edited, metadata: { ...edited.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) } };
}
