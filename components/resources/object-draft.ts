import { request } from '@/components/live/request';
import { messageOf } from '@/lib/errors/errors';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { isKubeObject } from '@/lib/kube/object';
import { CONSOLE_MANAGER } from '@/lib/kube/ownership/revert';
import { readYaml, writeYaml } from '@/lib/yaml/yaml';
import { type ObjectAddress, objectPath, readStoredObject } from './object-address';
import type { SaveReview } from './save/save-review';
import { hasMark, isMaskedKind, restoreSecrets } from './secret-mask';

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
  return put(address, await withSecrets(address, edited), '');
}

/**
 * The same write as a dry run: what would be stored, and what it replaces with the field managers of that. They are read where the event
 * stream left them out.
 *
 * @throws RequestError as {@link saveObject}
 */
export async function trySave(
  address: ObjectAddress,
  before: KubeObject,
  edited: KubeObject,
): Promise<Omit<SaveReview, 'edited'>> {
  const isMasked = isMaskedKind(address.type);
  const stored = isMasked ? await readStoredObject(address) : before;
  const body = isMasked && hasMark(edited as JsonObject) ? restored(edited, stored) : edited;
  const review = { before: { ...before, metadata: { ...before.metadata, ...managersOf(stored) } } };
  try {
    return { ...review, result: await put(address, body, '&dryRun=All') };
  } catch (error) {
    if (!isUntried(error)) throw error;
    return { ...review, result: edited, untried: messageOf(error) };
  }
}

/** True for the refusal of a dry run by a webhook with side effects, which lets the write itself pass (Kubernetes admission/plugin/webhook/errors). */
export function isUntried(error: unknown): boolean {
  return messageOf(error).includes('does not support dry run');
}

function put(address: ObjectAddress, body: KubeObject, query: '' | '&dryRun=All'): Promise<KubeObject> {
  return request<KubeObject>(`${objectPath(address)}?fieldManager=${CONSOLE_MANAGER}&fieldValidation=Strict${query}`, {
    method: 'PUT',
    body,
  });
}

function managersOf({ metadata: { managedFields } }: KubeObject): Pick<KubeObject['metadata'], 'managedFields'> {
  return managedFields === undefined ? {} : { managedFields };
}

async function withSecrets(address: ObjectAddress, edited: KubeObject): Promise<KubeObject> {
  return hasMark(edited as JsonObject) ? restored(edited, await readStoredObject(address)) : edited;
}

function restored(edited: KubeObject, stored: KubeObject): KubeObject {
  const { value, lost } = restoreSecrets(edited as JsonObject, stored as JsonObject);
  const [first] = lost;
  if (first !== undefined) throw new Error(`${first} is masked, but no value is stored there. Enter a value.`);
  return isKubeObject(value) ? value : edited;
}

/** The same draft on top of a newer version: what is written then replaces that one. */
export function rebase(edited: KubeObject, live: KubeObject): KubeObject {
  const { resourceVersion } = live.metadata;
  return { ...edited, metadata: { ...edited.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) } };
}
