import type { Clock } from '@/lib/clock/clock';
import { BravoError, messageOf } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import { secretValues } from '@/lib/kudo/live-values/secret-values';
import type { EditPreview, ObjectChange, ParameterEdit } from '@/lib/kudo/parameters/parameter-edit';
import { gateWishes } from '@/lib/kudo/runs/run-request';
import { fatesAfterPlan } from '@/lib/kudo/view/volume-fate';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { writeYaml } from '@/lib/yaml/yaml';
import type { Api } from '@/server/kube/api';
import { KindIndex } from '@/server/kube/kinds';
import { inputsByTask } from '@/server/live-values/inputs-by-task';
import { readSources } from '@/server/parameters/read-sources';
import { withReadValues } from '@/server/parameters/with-read-values';
import { previewChange } from '@/server/preconditions/preview-change';
import { listClaims } from './list-claims';
import { objectTexts, secretMasker } from './object-texts';
import { previewEffects } from './preview-plan';
import { type InstanceKey, readInstance } from './read-instance';
import { type PlannedObject, type PlannedState, plannedClaims, renderPlanned, servedBy } from './render-planned';

/**
 * What an edit does: the plan is rendered with the values as they are and with the edit in them, and the objects are
 * compared. Nothing is written. The cluster is asked what restarts and what it would refuse ({@link previewEffects}), and for the claims
 * and StatefulSets of the namespace, which tell what happens to volumes.
 */
export async function previewEdit(api: Api, key: InstanceKey, edit: ParameterEdit, clock: Clock): Promise<EditPreview> {
  const stored = await readInstance(api, key);
  const { instance, operatorVersion } = stored;
  const { parameters, wishes } = edit;
  const preview = await previewChange(api, instance, operatorVersion, { parameters, ...gateWishes(wishes) });
  const base = {
    outcome: preview.outcome,
    plan: preview.plan,
    message: preview.message,
    warnings: preview.warnings,
    confirmation: preview.confirmation,
  };
  if (preview.plan === undefined || operatorVersion === undefined) {
    return { ...base, objects: [], unchanged: 0, restarts: [], volumes: [], problems: [], token: '' };
  }
  // Both states draw the same random bytes: what is random must not look changed.
  const cluster = { ...(await servedBy(api)), nowMs: clock.now() };
  const { plan } = preview;
  const reads = await readSources(api, [instance]);
  // A value that the person may not read is the same text before and after, so that it does not look changed.
  const known = [instance, preview.instance].map((one) => withReadValues(one, reads, SECRET_MARK));
  const [current = instance, edited = preview.instance] = known;
  const kinds = new KindIndex(api);
  const live = await inputsByTask({ api, kinds, instance: edited, operatorVersion }, plan);
  const seen = { ...cluster, liveByTask: live };
  const before = renderPlanned(current, operatorVersion, plan, seen);
  const after = renderPlanned(edited, operatorVersion, plan, seen);
  const { volumes, volumesProblem } = await volumesAfter(api, key.namespace, plan, after);
  const effects = await previewEffects(api, stored, { edit: { parameters, ...gateWishes(wishes) } }, clock);
  const hidden = secretValues([...live.values()].filter((each) => typeof each !== 'string'));
  const mask = secretMasker(
    known.map((one) => ({ instance: one, operatorVersion })),
    hidden,
  );
  const changes = after.objects.map((object) => compare(before.objects, object, mask));
  const gone = before.objects
    .filter(({ id }) => !after.objects.some((object) => object.id === id))
    .map((object) => removal(object, mask));
  return {
    ...base,
    objects: [...changes.filter((change) => change !== undefined), ...gone],
    unchanged: changes.filter((change) => change === undefined).length,
    restarts: effects.restarts,
    volumes,
    problems: [...new Set([...effects.problems, ...volumesProblem])],
    token: effects.token,
  };
}

/** The volumes that a plan deletes, and those that it leaves of members that it removes. Reads claims only for a plan that has PersistentVolumeClaims or StatefulSets. */
export async function volumesAfter(
  api: Api,
  namespace: string,
  plan: string,
  after: PlannedState,
): Promise<{ volumes: EditPreview['volumes']; volumesProblem: readonly string[] }> {
  if (!after.all.some(({ object }) => CLAIM_KINDS.has(object.kind))) return { volumes: [], volumesProblem: [] };
  try {
    const { claims, statefulSets } = await listClaims(api, namespace);
    const volumes = fatesAfterPlan({ claims, live: statefulSets, plan: plannedClaims(plan, after) });
    return { volumes, volumesProblem: [] };
  } catch (error) {
    if (!(error instanceof BravoError)) throw error;
    return { volumes: [], volumesProblem: [`The volumes cannot be checked: ${messageOf(error)}`] };
  }
}

const CLAIM_KINDS: ReadonlySet<string> = new Set(['PersistentVolumeClaim', 'StatefulSet']);

function compare(
  before: readonly PlannedObject[],
  after: PlannedObject,
  mask: (text: string) => string,
): ObjectChange | undefined {
  const was = before.find(({ id }) => id === after.id);
  const existed = was !== undefined && !was.isDeleted;
  const names = { kind: after.object.kind, name: nameOf(after.object), place: after.place };
  if (after.isDeleted) return existed ? removal(was, mask) : undefined;
  if (!existed) return { ...names, change: 'create', ...objectTexts(undefined, after.object, mask) };
  if (writeYaml(was.object) === writeYaml(after.object)) return undefined;
  return { ...names, change: 'change', ...objectTexts(was.object, after.object, mask) };
}

function removal({ object, place }: PlannedObject, mask: (text: string) => string): ObjectChange {
  return { kind: object.kind, name: nameOf(object), place, change: 'delete', ...objectTexts(object, undefined, mask) };
}
