import { BravoError, TerminalError, TransientError } from '@/lib/errors/errors';
import { isJsonObject, type JsonObject, jsonEqual } from '@/lib/json/json';
import { controllerOf, type KubeObject, nameOf } from '@/lib/kube/object';
import { hasReadableSecretValues } from '@/lib/kudo/inventory/applied-manifest';
import { isInForce } from '@/lib/kudo/inventory/in-force';
import { LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';
import { growsVolumes, requestedStorage } from '@/lib/kudo/volume-growth/claim-templates';
import type { Target } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';
import { retryOnConflict } from '@/server/kube/retry-on-conflict';
import { computePatch, isEmptyPatch, lastApplied, withLastApplied, withReplaced } from './applied-record';
import type { TaskContext } from './context';
import { MissingKindError } from './missing-kind';
import { ContendedError } from './patch-pace';
import { explainRefusal } from './refusal';
import { explainGrowthRefusal } from './volumes/grow-claims';
import { replaceForGrowth } from './volumes/replace-for-growth';
import { replacementKey } from './volumes/replacements';

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
  // What fails leaves nothing in the memory: its outcome may be unknown.
  const known = context.written?.take(object);
  const stored = await applyTo({ target, object }, known, { context, options });
  context.written?.keep(object, stored);
  return stored;
}

/** @param known the live object as this leader term knows it */
async function applyTo(wanted: Wanted, known: KubeObject | undefined, { context, options }: Applying) {
  const { target, object } = wanted;
  if (context.isFirstPlan) {
    const made = await createUnlessThere(target, object, context);
    if (made !== undefined) return made;
  }
  let ahead = context.ahead?.take(object);
  if (known !== undefined && ahead === undefined) {
    const written = await patchUnread({ ...wanted, live: known }, context, options);
    if (written !== undefined) return written;
  }
  return retryOnConflict(async () => {
    const read = ahead ?? context.api.get(target);
    ahead = undefined;
    const live = await read;
    return live === undefined
      ? createMissing(target, object, context)
      : patchLive({ ...wanted, live }, context, options);
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

interface Wanted {
  readonly target: Target;
  /** As it was rendered. */
  readonly object: KubeObject;
}

type Existing = Wanted & { readonly live: KubeObject };

interface Applying {
  readonly context: TaskContext;
  readonly options: ApplyOptions;
}

async function patchLive(existing: Existing, context: TaskContext, options: ApplyOptions): Promise<KubeObject> {
  const { target, object, live } = existing;
  checkOwner(live, context);
  const change = changeOf(existing);
  if (change === undefined) {
    return context.api.patch(target, 'apply', guarded(withLastApplied(object) as unknown as JsonObject, live), {
      fieldManager: FIELD_MANAGER,
      force: true,
    });
  }
  await replaceForGrowth(change, context);
  if (!isDue(change, context, options)) {
    context.memory.touched?.note(context, object, 'unchanged');
    return live;
  }
  try {
    const written = await sendPatch(change, context);
    noteWritten(change, written, context);
    return written;
  } catch (error) {
    const isClaim = live.kind === 'PersistentVolumeClaim';
    throw isClaim ? explainGrowthRefusal(error, live, requestedStorage(object)) : explainRefusal(error, object);
  }
}

/**
 * Patches the object as this leader term knows it, without a read before. The guard makes that the same as after a read: the API
 * server refuses it when the object has changed in any way. Undefined when the object is to be read: when nothing is to be
 * written (somebody else may have changed it), and after every refusal.
 */
async function patchUnread(existing: Existing, context: TaskContext, options: ApplyOptions) {
  try {
    const change = changeWithoutRead(existing, context, options);
    if (change === undefined) return undefined;
    const written = await context.api.patch(change.target, change.type, guarded(change.patch, change.live));
    noteWritten(change, written, context);
    return written;
  } catch (error) {
    if (error instanceof BravoError && !(error instanceof TransientError)) return undefined;
    throw error;
  }
}

/** True when {@link applyTaskObject} will probably write the object without a read before. */
export function isPatchedUnread(wanted: Wanted, context: TaskContext): boolean {
  const live = context.written?.look(wanted.object);
  if (live === undefined) return false;
  try {
    return changeWithoutRead({ ...wanted, live }, context, {}) !== undefined;
  } catch (error) {
    if (error instanceof BravoError) return false;
    throw error;
  }
}

/** Volumes that grow, and an object that is too large for a record, take more than one guarded patch. */
function changeWithoutRead(existing: Existing, context: TaskContext, options: ApplyOptions): Change | undefined {
  if (growsVolumes(existing.object)) return undefined;
  checkOwner(existing.live, context);
  const change = changeOf(existing);
  return change !== undefined && isDue(change, context, options) ? change : undefined;
}

type Change = ReturnType<typeof computePatch> &
  Existing & {
    /** What was rendered, with its record. */
    readonly modified: KubeObject;
    /** What was applied last. */
    readonly original: JsonObject;
  };

/** What brings the live object to what was rendered; undefined for an object that is too large for a record. */
function changeOf(existing: Existing): Change | undefined {
  const modified = withLastApplied(existing.object);
  if (modified.metadata.annotations?.[LAST_APPLIED_ANNOTATION] === undefined) return undefined;
  const original = lastApplied(existing.live);
  return { ...existing, modified, original, ...computePatch(original, modified, existing.live) };
}

/**
 * False when nothing is to be written.
 * @throws ContendedError when the same bytes were written a moment ago
 */
function isDue(
  { object, modified, original, live, patch }: Change,
  context: TaskContext,
  options: ApplyOptions,
): boolean {
  // What is adopted gets its record also when nothing else differs: without one it is somebody else's after the next annotation.
  // A record that shows values of a Secret is replaced.
  const countMarks = options.renewMarks === true || Object.keys(original).length === 0 || hasReadableSecretValues(live);
  if (isEmptyPatch(patch, countMarks) || (!countMarks && isInForce(original, object, live))) return false;
  const { patches } = context.memory;
  const key = paceKey(modified, context);
  if (patches?.isLeftOut(key, JSON.stringify(patch)) === true) return false;
  // The same bytes go over the same object only now and then: no fight with whoever changes it back at once.
  if (patches?.isEarly(key, context.clock.monotonic()) === true) throw new ContendedError(modified);
  return true;
}

function noteWritten({ object, patch, modified }: Change, written: KubeObject, context: TaskContext): void {
  const isMarked = isEmptyPatch(patch, false);
  context.memory.touched?.note(context, object, isMarked ? 'unchanged' : 'changed', isMarked ? undefined : patch);
  context.memory.patches?.written(paceKey(modified, context), context.clock.monotonic(), () => {
    return JSON.stringify(computePatch(lastApplied(written), modified, written).patch);
  });
}

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
