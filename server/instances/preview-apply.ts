import { BravoError, messageOf, TransientError } from '@/lib/errors/errors';
import { type JsonObject, jsonEqual, objectAt } from '@/lib/json/json';
import { builtinSchema } from '@/lib/kube/builtin/builtin';
import { type KubeObject, kindOf, nameOf } from '@/lib/kube/object';
import { applyMergePatch } from '@/lib/kube/patch/merge-patch';
import { applyStrategicPatch } from '@/lib/kube/patch/strategic-merge';
import { isInForce } from '@/lib/kudo/inventory/in-force';
import { LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';
import type { Instance } from '@/lib/kudo/types';
import { shownObject } from '@/lib/kudo/view/planned-changes';
import { growsVolumes } from '@/lib/kudo/volume-growth/claim-templates';
import type { Api, Target } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';
import { computePatch, isEmptyPatch, lastApplied, withLastApplied, withReplaced } from '@/server/tasks/applied-record';
import { checkOwner, FIELD_MANAGER } from '@/server/tasks/apply-object';

/** What applying an object would make of it. */
export interface AppliedPreview {
  /** The live object itself when nothing would change; a new object as it is sent. */
  readonly after: KubeObject;
  /** Why the API server or the controller would refuse it. */
  readonly problem?: string;
  /** Why the result is computed, when the API server was asked for a dry run and gave none. */
  readonly computed?: string;
}

interface Wanted {
  readonly target: Target;
  /** As rendered. */
  readonly object: KubeObject;
  readonly live: KubeObject | undefined;
}

interface Asking {
  readonly api: Pick<Api, 'create' | 'patch'>;
  readonly instance: Instance;
  /** False: the result is computed. */
  readonly isDryRun: boolean;
}

/** What the controller would make of an object, by the patch that it would send: a dry run of the API server, else computed. */
export async function previewApply({ target, object, live }: Wanted, asking: Asking): Promise<AppliedPreview> {
  if (live === undefined) return previewCreate(target, object, asking);
  try {
    checkOwner(live, asking);
    const change = changeTo(object, live);
    return change === undefined ? { after: live } : await previewPatch({ target, object, live, ...change }, asking);
  } catch (error) {
    if (!(error instanceof BravoError) || error instanceof TransientError) throw error;
    return { after: object, problem: messageOf(error) };
  }
}

/** True when applying the rendered object would change the live one, as far as that can be computed. */
export function wouldChange(live: KubeObject, object: KubeObject): boolean {
  try {
    return changeTo(object, live) !== undefined;
  } catch (error) {
    if (!(error instanceof BravoError)) throw error;
    return true;
  }
}

async function previewCreate(target: Target, object: KubeObject, { api, isDryRun }: Asking): Promise<AppliedPreview> {
  if (!isDryRun) return { after: object };
  const { refusal } = await dryRun(() => api.create(target, withLastApplied(object), { dryRun: true }));
  return { after: object, ...(refusal === undefined ? {} : explained(object, refusal)) };
}

type Change = {
  readonly patch: JsonObject;
  readonly type: 'strategic' | 'merge' | 'apply';
  readonly original: JsonObject;
};

/** Undefined when nothing would be written. @throws RenderError as Apply does */
function changeTo(object: KubeObject, live: KubeObject): Change | undefined {
  const wanted = withLastApplied(object);
  if (wanted.metadata.annotations?.[LAST_APPLIED_ANNOTATION] === undefined) {
    return { patch: wanted as unknown as JsonObject, type: 'apply', original: {} };
  }
  const original = lastApplied(live);
  const { patch, type } = computePatch(original, wanted, live);
  if (isEmptyPatch(patch, false) || isInForce(original, object, live)) return undefined;
  return { patch, type, original };
}

async function previewPatch(
  { target, object, live, ...change }: Change & { target: Target; object: KubeObject; live: KubeObject },
  { api, isDryRun }: Asking,
): Promise<AppliedPreview> {
  const { patch, type, original } = change;
  const computed = () => asLive(live, computedObject(live, object, change));
  // The controller replaces such a StatefulSet, which no dry run shows.
  if (!isDryRun || growsVolumes(object)) return { after: computed() };
  const options = { dryRun: true, ...(type === 'apply' ? { fieldManager: FIELD_MANAGER, force: true } : {}) };
  const first = await dryRun(() => api.patch(target, type, patch, options));
  if (first.result !== undefined) return { after: asLive(live, first.result) };
  if (first.refusal?.code !== 422) return { after: computed(), ...explained(object, first.refusal) };
  // As Apply does: elements of lists that stand in the place of ours go.
  const clearing = computePatch(withReplaced(original, object, live), withLastApplied(object), live);
  const second = jsonEqual(clearing.patch, patch)
    ? first
    : await dryRun(() => api.patch(target, clearing.type, clearing.patch, { dryRun: true }));
  if (second.result !== undefined) return { after: asLive(live, second.result) };
  return { after: computed(), ...explained(object, second.refusal ?? first.refusal) };
}

interface DryRun {
  readonly result?: KubeObject;
  readonly refusal?: { readonly code: number; readonly message: string };
}

async function dryRun(send: () => Promise<KubeObject>): Promise<DryRun> {
  try {
    return { result: await send() };
  } catch (error) {
    if (!(error instanceof BravoError)) throw error;
    return { refusal: { code: codeOf(error), message: messageOf(error) } };
  }
}

/** Only what is invalid is refused for everybody: the controller has other rights, and some webhooks refuse every dry run. */
function explained(object: KubeObject, refusal: DryRun['refusal']): Pick<AppliedPreview, 'problem' | 'computed'> {
  const label = `${object.kind} ${nameOf(object)}`;
  if (refusal === undefined || refusal.code === 409 || refusal.code === 404) return {};
  return refusal.code === 422
    ? { problem: `The API server refuses ${label}: ${refusal.message}` }
    : { computed: `${label} is compared without a dry run: ${refusal.message}` };
}

function computedObject(live: KubeObject, object: KubeObject, { patch, type }: Change): KubeObject {
  const current = live as unknown as JsonObject;
  if (type === 'strategic') {
    return applyStrategicPatch(current, patch, builtinSchema(kindOf(object))) as unknown as KubeObject;
  }
  return applyMergePatch(current, patch) as unknown as KubeObject;
}

/** The live object itself when the other one differs from it in nothing that a person sees, else the other one. */
function asLive(live: KubeObject, after: KubeObject): KubeObject {
  const isSame = jsonEqual(shownObject(live) as unknown as JsonObject, shownObject(after) as unknown as JsonObject);
  // The annotations of KUDO in a pod template restart pods.
  return isSame && jsonEqual(specOf(live), specOf(after)) ? live : after;
}

function specOf(object: KubeObject): JsonObject {
  return objectAt(object, 'spec');
}
