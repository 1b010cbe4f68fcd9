import { TerminalError } from '@/lib/errors/errors';
import { cloneJson, isJsonObject, type JsonObject, jsonEqual } from '@/lib/json/json';
import { builtinSchema } from '@/lib/kube/builtin/builtin';
import { isBuiltIn } from '@/lib/kube/health/health';
import { controllerOf, type KubeObject, kindOf, nameOf, namespaceOf, parseApiVersion } from '@/lib/kube/object';
import { identityChangedBy, threeWayMergePatch } from '@/lib/kube/patch/merge-patch';
import { threeWayStrategicPatch } from '@/lib/kube/patch/three-way';
import { withReplacedElements } from '@/lib/kudo/drift/replaced-elements';
import { hasReadableSecretValues, manifestOfRecord } from '@/lib/kudo/inventory/applied-manifest';
import { isInForce } from '@/lib/kudo/inventory/in-force';
import { APPLY_MARKS } from '@/lib/kudo/inventory/manifest-digest';
import { withoutRecordNoise } from '@/lib/kudo/inventory/record-noise';
import { withoutSecretValues } from '@/lib/kudo/inventory/secret-data';
import { LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import { requestedStorage } from '@/lib/kudo/volume-growth/claim-templates';
import type { Target } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';
import { retryOnConflict } from '@/server/kube/retry-on-conflict';
import type { TaskContext } from './context';
import { MissingKindError } from './missing-kind';
import { ContendedError } from './patch-pace';
import { explainRefusal } from './refusal';
import { explainGrowthRefusal } from './volumes/grow-claims';
import { replaceForGrowth } from './volumes/replace-for-growth';
import { replacementKey } from './volumes/replacements';

/** An object without KUDO's record is taken over only when its owner says so with this annotation. */
export const ADOPT_ANNOTATION = 'bravo.kudo.dev/adopt';

/** Above this size the record of what was applied would not fit beside the object (256 KiB for all annotations). */
const MAX_RECORD_CHARS = 240_000;
export const FIELD_MANAGER = 'bravo';

export interface ApplyOptions {
  /** Write also when nothing but KUDO's own marks would change. */
  readonly renewMarks?: boolean;
}

/**
 * Brings one object to what was rendered: created with a record of what was applied, or patched by a
 * three-way merge of that record, the rendered object and the live one, so that fields of others are kept. Nothing is
 * written when nothing would change. Returns the object as it is then.
 * @throws RenderError `TaskRenderingError` for a live object that somebody else made, TerminalError `NotOwned` for one that
 *   another controller owns, and whatever the API says
 */
export async function applyTaskObject(object: KubeObject, context: TaskContext, options: ApplyOptions = {}) {
  const target = await context.kinds.targetOf(object);
  if (target === undefined) throw new MissingKindError(object);
  if (context.isFirstPlan) {
    const made = await createUnlessThere(target, object, context);
    if (made !== undefined) return made;
  }
  return retryOnConflict(async () => {
    const live = await (context.ahead?.take(object) ?? context.api.get(target));
    return live === undefined
      ? createMissing(target, object, context)
      : patchLive({ target, object, live }, context, options);
  });
}

/**
 * The patch for what was read and nothing later: one that was long on its way, sent by a controller that does not lead any
 * more, must not undo what came after it (C08).
 */
function guarded(patch: JsonObject, live: KubeObject): JsonObject {
  const metadata = isJsonObject(patch.metadata) ? patch.metadata : {};
  return { ...patch, metadata: { ...metadata, resourceVersion: live.metadata.resourceVersion ?? '' } };
}

async function createUnlessThere(target: Target, object: KubeObject, context: TaskContext) {
  try {
    return await createNamed(target, object, context);
  } catch (error) {
    if (codeOf(error) === 409) return undefined;
    throw error;
  }
}

/** Made as rendered; one that this run has deleted to replace it, with what others had set on it. */
async function createMissing(target: Target, object: KubeObject, context: TaskContext): Promise<KubeObject> {
  const { replacements } = context.memory;
  const key = replacementKey(object);
  const replacement = replacements?.get(key);
  if (replacement === undefined) return createNamed(target, object, context);
  try {
    const made = await context.api.create(target, replacement);
    replacements?.delete(key);
    context.memory.touched?.note(context, object, 'created');
    return made;
  } catch (error) {
    if (codeOf(error) === 409) replacements?.delete(key);
    throw explainRefusal(error, object);
  }
}

/** Made, or an error that says which object was refused: a template may hold many. */
async function createNamed(target: Target, object: KubeObject, context: TaskContext): Promise<KubeObject> {
  try {
    const made = await context.api.create(target, withLastApplied(object));
    context.memory.touched?.note(context, object, 'created');
    return made;
  } catch (error) {
    throw explainRefusal(error, object);
  }
}

/** The object with a record of itself, in which a Secret shows no values; without one when it is too large for that. */
export function withLastApplied(object: KubeObject): KubeObject {
  const plain = withoutRecord(object);
  const record = JSON.stringify(withoutSecretValues(plain));
  if (record.length > MAX_RECORD_CHARS) return plain;
  const annotations = { ...plain.metadata.annotations, [LAST_APPLIED_ANNOTATION]: record };
  return { ...plain, metadata: { ...plain.metadata, annotations } };
}

function withoutRecord(object: KubeObject): KubeObject {
  const copy = cloneJson(object);
  if (copy.metadata.annotations !== undefined) delete copy.metadata.annotations[LAST_APPLIED_ANNOTATION];
  return copy;
}

interface Existing {
  readonly target: Target;
  /** As it was rendered. */
  readonly object: KubeObject;
  readonly live: KubeObject;
}

async function patchLive(existing: Existing, context: TaskContext, options: ApplyOptions): Promise<KubeObject> {
  const { target, object, live } = existing;
  checkOwner(live, context);
  const modified = withLastApplied(object);
  if (modified.metadata.annotations?.[LAST_APPLIED_ANNOTATION] === undefined) {
    return context.api.patch(target, 'apply', guarded(modified as unknown as JsonObject, live), {
      fieldManager: FIELD_MANAGER,
      force: true,
    });
  }
  const original = lastApplied(live);
  const change = computePatch(original, modified, live);
  const { patch } = change;
  await replaceForGrowth({ target, object, live, original, patch }, context);
  // What is adopted gets its record also when nothing else differs: without one it is somebody else's after the next annotation.
  // A record that shows values of a Secret is replaced.
  const countMarks = options.renewMarks === true || Object.keys(original).length === 0 || hasReadableSecretValues(live);
  if (isEmptyPatch(patch, countMarks) || (!countMarks && isInForce(original, object, live))) {
    context.memory.touched?.note(context, object, 'unchanged');
    return live;
  }
  const { patches } = context.memory;
  const key = paceKey(modified, context);
  if (patches?.isLeftOut(key, JSON.stringify(patch)) === true) return live;
  // The same bytes go over the same object only now and then: no fight with whoever changes it back at once.
  if (patches?.isEarly(key, context.clock.monotonic()) === true) throw new ContendedError(modified);
  try {
    const written = await sendPatch({ target, modified, live, original, ...change }, context);
    const isMarked = isEmptyPatch(patch, false);
    context.memory.touched?.note(context, object, isMarked ? 'unchanged' : 'changed', isMarked ? undefined : patch);
    patches?.written(key, context.clock.monotonic(), () => {
      return JSON.stringify(computePatch(lastApplied(written), modified, written).patch);
    });
    return written;
  } catch (error) {
    const isClaim = live.kind === 'PersistentVolumeClaim';
    throw isClaim ? explainGrowthRefusal(error, live, requestedStorage(object)) : explainRefusal(error, object);
  }
}

type Change = ReturnType<typeof computePatch> & {
  readonly target: Target;
  readonly modified: KubeObject;
  readonly live: KubeObject;
  readonly original: JsonObject;
};

/**
 * A merge keeps elements of lists that somebody added. When the API will not have them beside ours (two ports of one name: a
 * person changed the number of ours), those that stand in the place of ours go.
 */
async function sendPatch({ target, modified, live, original, patch, type }: Change, { api }: TaskContext) {
  try {
    return await api.patch(target, type, guarded(patch, live));
  } catch (error) {
    if (codeOf(error) !== 422) throw error;
    const clearing = computePatch(withReplaced(original, modified, live), modified, live);
    if (jsonEqual(clearing.patch, patch)) throw error;
    return api.patch(target, type, guarded(clearing.patch, live));
  }
}

/** The record of what was applied, with the elements of lists that stand in place of ours: a merge with it takes them away. */
export function withReplaced(record: JsonObject, wanted: KubeObject, live: KubeObject): JsonObject {
  const schema = builtinSchema(kindOf(wanted));
  return withReplacedElements(record, wanted as unknown as JsonObject, live as unknown as JsonObject, schema);
}

function paceKey(modified: KubeObject, context: TaskContext): string {
  return `${context.phase}/${context.step} ${JSON.stringify(modified)}`;
}

/** @throws TerminalError `NotOwned` for an object that another controller owns */
export function checkOwner(live: KubeObject, context: Pick<TaskContext, 'instance'>): void {
  const owner = controllerOf(live);
  if (owner !== undefined && owner.uid !== context.instance.metadata.uid && live.metadata.namespace !== undefined) {
    throw new TerminalError(
      `${live.kind} ${nameOf(live)} belongs to ${owner.kind} ${owner.name} and is not overwritten.`,
      'NotOwned',
    );
  }
}

/** What was applied last: the live object's own record; nothing for an object that may be adopted. */
export function lastApplied(live: KubeObject): JsonObject {
  const annotations = live.metadata.annotations ?? {};
  const record = annotations[LAST_APPLIED_ANNOTATION];
  if (record === undefined) {
    const foreign = Object.keys(annotations).length > 0 && annotations[ADOPT_ANNOTATION] !== 'true';
    if (!foreign) return {};
    const place = [namespaceOf(live), nameOf(live)].filter((part) => part !== '').join('/');
    throw new RenderError(
      `${live.kind} ${place} was made by somebody else (it has annotations, but no ${LAST_APPLIED_ANNOTATION}); ` +
        `set the annotation ${ADOPT_ANNOTATION}: "true" on it to let this Instance take it over`,
    );
  }
  // Nothing was applied then, as KUDO reads it too.
  if (record === '' || record === 'null') return {};
  try {
    const value: unknown = JSON.parse(record);
    if (isJsonObject(value))
      return (manifestOfRecord(value, live) ?? withoutRecordNoise(value)) as unknown as JsonObject;
  } catch {
    // Said below.
  }
  throw new RenderError(`${live.kind} ${nameOf(live)} has a record of what was applied that is no JSON object`);
}

/** Kinds built into Kubernetes merge lists by their keys; everything else replaces them whole. */
export function computePatch(original: JsonObject, modified: KubeObject, live: KubeObject) {
  const { group } = parseApiVersion(modified.apiVersion);
  const wanted = modified as unknown as JsonObject;
  const current = live as unknown as JsonObject;
  if (isBuiltIn(group) && group !== 'apiextensions.k8s.io') {
    const schema = builtinSchema(kindOf(modified));
    return { type: 'strategic' as const, patch: threeWayStrategicPatch(original, wanted, current, schema) };
  }
  const patch = threeWayMergePatch(original, wanted, current);
  const changed = identityChangedBy(patch);
  if (changed !== undefined) throw new RenderError(`${modified.kind} ${nameOf(modified)} would change its ${changed}`);
  return { type: 'merge' as const, patch };
}

/** True when a patch would change nothing, or nothing but KUDO's own marks when those do not count. */
export function isEmptyPatch(patch: JsonObject, countMarks: boolean): boolean {
  const keys = Object.keys(patch);
  if (keys.length === 0) return true;
  if (countMarks || keys.length > 1 || !isJsonObject(patch.metadata)) return false;
  const { annotations, ...others } = patch.metadata;
  if (Object.keys(others).length > 0 || !isJsonObject(annotations)) return false;
  return Object.keys(annotations).every((key) => APPLY_MARKS.has(key));
}
