import type { Clock } from '@/lib/clock/clock';
import { BravoError, messageOf } from '@/lib/errors/errors';
import { type KubeObject, namespaceOf } from '@/lib/kube/object';
import { INSTANCE_LABEL } from '@/lib/kudo/names';
import { judgePreconditions, type PlanStart } from '@/lib/kudo/plan-metadata/judge-preconditions';
import type { Instance } from '@/lib/kudo/types';
import type { PlanPreview } from '@/lib/kudo/view/plan-preview';
import { type PlannedPair, plannedChange, podsRestart } from '@/lib/kudo/view/planned-changes';
import { claimOrdinal, fateOf, fatesAfterPlan, type VolumeFate } from '@/lib/kudo/view/volume-fate';
import { limits } from '@/lib/limits/limits';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import type { Api } from '@/server/kube/api';
import { KindIndex } from '@/server/kube/kinds';
import { readSources } from '@/server/parameters/read-sources';
import { withReadValues } from '@/server/parameters/with-read-values';
import { previewChange } from '@/server/preconditions/preview-change';
import { readPlanObjects } from '@/server/preconditions/read-plan-objects';
import { listClaims } from './list-claims';
import type { PlanStartRequest } from './parse-edit';
import { type InstanceKey, readInstance } from './read-instance';
import { type PlannedState, plannedClaims, renderPlanned, servedBy } from './render-planned';

/**
 * What starting a plan would do: the plan is rendered with the parameters that go with its start, and its objects are compared with
 * those of the cluster. Nothing is written; everything is read with the rights of the person.
 */
export async function previewPlan(
  api: Api,
  key: InstanceKey,
  start: PlanStartRequest,
  clock: Clock,
): Promise<PlanPreview> {
  const { plan, parameters = {} } = start;
  const { instance, operatorVersion } = await readInstance(api, key);
  const preview = await previewChange(api, instance, operatorVersion, { plan, parameters });
  const base = {
    outcome: preview.outcome === 'stores' ? ('runs' as const) : preview.outcome,
    message: preview.message,
    confirmation: preview.confirmation,
  };
  if (operatorVersion?.spec?.plans?.[plan] === undefined) {
    return { ...base, unchecked: [], objects: [], unchanged: 0, restarts: [], volumes: [], problems: [] };
  }
  const kinds = new KindIndex(api);
  const reads = await readSources(api, [instance]);
  const next = withReadValues(preview.instance, reads, SECRET_MARK);
  const cluster = { ...(await servedBy(api)), nowMs: clock.now() };
  const state = renderPlanned(next, operatorVersion, plan, cluster);
  const problems: string[] = [...state.problems];
  const pairs = await pairsOf({ api, kinds, problems }, state);
  const changes = pairs.flatMap((pair) => plannedChange(pair) ?? []);
  return {
    ...base,
    unchecked: await unchecked({ api, kinds }, { plan, instance: next, operatorVersion }),
    objects: changes,
    unchanged: pairs.filter((pair) => pair.live !== undefined && plannedChange(pair) === undefined).length,
    restarts: pairs.flatMap((pair) => podsRestart(pair, statesOf(pair, state)) ?? []),
    volumes: await volumesOf(api, instance, { plan, state, problems }),
    problems,
  };
}

interface Reader {
  readonly api: Api;
  readonly kinds: KindIndex;
}

/** Preconditions that this person's rights do not suffice to check. */
async function unchecked(reader: Reader, start: PlanStart): Promise<string[]> {
  const found = judgePreconditions(start, await readPlanObjects(reader, [start]));
  return found.filter(({ outcome }) => outcome === 'unknown').map(({ message }) => message);
}

/** The objects of the plan beside those that exist. What may not be read counts as missing, and is named. */
async function pairsOf(
  { api, kinds, problems }: Reader & { problems: string[] },
  state: PlannedState,
): Promise<PlannedPair[]> {
  const shown = state.objects.slice(0, limits.previewObjects);
  if (shown.length < state.objects.length) {
    problems.push(`The plan has ${state.objects.length} objects; only the first ${shown.length} are compared.`);
  }
  return Promise.all(
    shown.map(async ({ id, object, place, isDeleted }): Promise<PlannedPair> => {
      const isReplaced = !isDeleted && state.all.some((each) => each.id === id && each.isDeleted);
      return { object, place, isDeleted, isReplaced, live: await liveObject({ api, kinds, problems }, object) };
    }),
  );
}

async function liveObject(
  { api, kinds, problems }: Reader & { problems: string[] },
  object: KubeObject,
): Promise<KubeObject | undefined> {
  try {
    const target = await kinds.targetOf(object);
    return target === undefined ? undefined : await api.get(target);
  } catch (error) {
    if (!(error instanceof BravoError)) throw error;
    problems.push(`${object.kind} ${object.metadata.name ?? ''} cannot be compared: ${messageOf(error)}`);
    return undefined;
  }
}

/** Each state in which the plan applies the object. */
function statesOf({ object }: PlannedPair, { all }: PlannedState): KubeObject[] {
  const isSame = (other: KubeObject) => other.kind === object.kind && other.metadata.name === object.metadata.name;
  return all.filter((each) => !each.isDeleted && isSame(each.object)).map((each) => each.object);
}

interface VolumeInput {
  readonly plan: string;
  readonly state: PlannedState;
  readonly problems: string[];
}

/** The claims of the Instance, and others that the plan deletes. */
async function volumesOf(api: Api, instance: Instance, { plan, state, problems }: VolumeInput): Promise<VolumeFate[]> {
  try {
    const { claims, statefulSets } = await listClaims(api, namespaceOf(instance));
    const fates = fatesAfterPlan({ claims, live: statefulSets, plan: plannedClaims(plan, state) });
    const known = new Set(fates.map(({ name }) => name));
    const own = claims.filter((claim) => !known.has(claim.metadata.name ?? '') && isOf(claim, statefulSets, instance));
    const staying = own.map((claim) => fateOf(claim, false, `Plan ${plan} does not delete it.`));
    return [...fates.filter(({ goes }) => goes), ...fates.filter(({ goes }) => !goes), ...staying];
  } catch (error) {
    if (!(error instanceof BravoError)) throw error;
    problems.push(`The volumes cannot be checked: ${messageOf(error)}`);
    return [];
  }
}

function isOf(claim: KubeObject, statefulSets: readonly KubeObject[], { metadata }: Instance): boolean {
  const isLabelled = (object: KubeObject) => object.metadata.labels?.[INSTANCE_LABEL] === metadata.name;
  const set = statefulSets.find((each) => claimOrdinal(claim.metadata.name ?? '', each) !== undefined);
  return isLabelled(claim) || (set !== undefined && isLabelled(set));
}
