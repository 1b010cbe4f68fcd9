import { BlockedError, ConflictError, TerminalError } from '@/lib/errors/errors';
import { isJsonObject, type JsonObject, numberAt } from '@/lib/json/json';
import { builtinSchema } from '@/lib/kube/builtin/builtin';
import { isKubeObject, type KubeObject, kindOf, nameOf } from '@/lib/kube/object';
import { applyStrategicPatch } from '@/lib/kube/patch/strategic-merge';
import type { TaskOutcome } from '@/lib/kudo/plan/pass';
import { growsVolumes, type SizeChange, templatesChange } from '@/lib/kudo/volume-growth/claim-templates';
import type { Target } from '@/server/kube/api';
import type { TaskContext } from '../context';
import { explainRefusal } from '../refusal';
import { CANNOT_GROW, growClaims } from './grow-claims';
import { replacementKey } from './replacements';

/** A StatefulSet that is applied, as it exists and as it should be. */
export interface AppliedSet {
  readonly target: Target;
  /** As it was rendered. */
  readonly object: KubeObject;
  readonly live: KubeObject;
  /** What was applied last; empty when that is not known. */
  readonly original: JsonObject;
  /** The strategic merge patch that brings the live object to what was rendered. */
  readonly patch: JsonObject;
}

/** The event reason of a size that is smaller than before. */
export const CANNOT_SHRINK = 'VolumesCannotShrink';

/**
 * Grows the volumes of a StatefulSet whose claim templates ask for more than the live ones do (docs/decisions/067-volume-growth.md).
 * Kubernetes does not change claim templates, so the StatefulSet is deleted without its pods and created again, which adopts them.
 * Before that, its claims get the new size. Each write can be the last one of a process: the next one finds what is left to do.
 *
 * Returns for one whose volumes do not grow, which is patched as any other object.
 * @throws TerminalError `VolumesCannotShrink` and `VolumesCannotGrow`, with nothing changed; ReplacedError while the old
 *   StatefulSet still exists; ConflictError when it does not any more: then it is read again, and created
 */
export async function replaceForGrowth(set: AppliedSet, context: TaskContext): Promise<void> {
  const { object, live, target } = set;
  if (!growsVolumes(object)) return;
  // It is created again when it was deleted.
  if (live.metadata.deletionTimestamp === undefined) {
    const change = templatesChange(set.original, object, live);
    if (change.state === 'shrunk') throw shrinks(object, change.sizes);
    if (change.state !== 'grown') return;
    await checkRest(set, context);
    await growClaims(object, context);
    context.log.info('volumes.grow', { set: nameOf(object), sizes: JSON.stringify(change.sizes) });
    const { uid, resourceVersion } = live.metadata;
    await context.api.delete(target, { propagation: 'Orphan', uid, resourceVersion });
  }
  context.memory.replacements?.set(replacementKey(object), withoutIdentity(merged(set)));
  const rest = await context.api.get(target);
  if (rest?.metadata.uid === live.metadata.uid) throw new ReplacedError(live);
  throw new ConflictError(`StatefulSet ${nameOf(object)} was replaced`, 'Replaced');
}

/** What else changes must be accepted before anything is deleted. */
async function checkRest({ target, object, live, patch }: AppliedSet, { api }: TaskContext): Promise<void> {
  const replicas = numberAt(live.spec, 'replicas') ?? 1;
  if (numberAt(object.spec, 'replicas') === undefined && replicas !== 1) {
    throw new TerminalError(
      `StatefulSet ${nameOf(object)} cannot be replaced to grow its volumes, because its template does not set spec.replicas. Set it to ${replicas}, which is the number of pods now.`,
      CANNOT_GROW,
    );
  }
  const { volumeClaimTemplates: _, ...spec } = isJsonObject(patch.spec) ? patch.spec : {};
  const metadata = isJsonObject(patch.metadata) ? patch.metadata : {};
  const guard = { ...metadata, resourceVersion: live.metadata.resourceVersion ?? '' };
  try {
    await api.patch(target, 'strategic', { ...patch, metadata: guard, spec }, { dryRun: true });
  } catch (error) {
    throw explainRefusal(error, object);
  }
}

function shrinks(object: KubeObject, sizes: readonly SizeChange[]): TerminalError {
  const words = sizes.map(({ template, from, to }) => `volume ${template} cannot shrink from ${from} to ${to}`);
  const back = sizes.map(({ from }) => from).join(' and ');
  return new TerminalError(
    `StatefulSet ${nameOf(object)}: ${words.join(', ')}. Kubernetes only grows volumes. Set the size back to ${back}, or to a larger one.`,
    CANNOT_SHRINK,
  );
}

/** The live object with the patch in it: what others set on it (`kubectl rollout restart`, an autoscaler) survives. */
function merged({ live, patch, object }: AppliedSet): KubeObject {
  const result: unknown = applyStrategicPatch(live as unknown as JsonObject, patch, builtinSchema(kindOf(object)));
  return isKubeObject(result) ? result : object;
}

/** The object without what the API server gave to the one that was deleted. */
function withoutIdentity({ status: _, metadata, ...rest }: KubeObject): KubeObject {
  const { name, namespace, labels, annotations, ownerReferences } = metadata;
  const kept = Object.entries({ name, namespace, labels, annotations, ownerReferences });
  return { ...rest, metadata: Object.fromEntries(kept.filter(([, value]) => value !== undefined)) };
}

/** The old StatefulSet is being deleted. */
export class ReplacedError extends BlockedError {
  constructor(live: KubeObject) {
    super(
      `StatefulSet ${nameOf(live)}: is being replaced, because its volumes grow; its pods run meanwhile`,
      'BeingReplaced',
    );
  }
}

/** The task waits until the old StatefulSet does not exist any more. */
export function replacedOutcome({ message }: ReplacedError): TaskOutcome {
  return { state: 'waiting', messages: [message], waits: [{ what: message, sign: 'quiet' }] };
}
