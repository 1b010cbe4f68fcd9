import { type Clock, formatTime } from '@/lib/clock/clock';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { startEdit } from '@/lib/kudo/admission/start-edit';
import type { InstanceEdit } from '@/lib/kudo/admission/triggers';
import { knownSecretTexts } from '@/lib/kudo/drift/secret-texts';
import { secretValues } from '@/lib/kudo/live-values/secret-values';
import { judgePreconditions, type PlanStart } from '@/lib/kudo/plan-metadata/judge-preconditions';
import { type PlannedManifest, previewToken, RENDERED_TASKS } from '@/lib/kudo/runs/preview-token';
import { gateWishes } from '@/lib/kudo/runs/run-request';
import type { SourceReads } from '@/lib/kudo/sources/source-values';
import type { Instance } from '@/lib/kudo/types';
import type { PlanObjectChange, PlanPreview } from '@/lib/kudo/view/plan-preview';
import { type PlannedPair, plannedChange, podsRestart } from '@/lib/kudo/view/planned-changes';
import { plannedTasks } from '@/lib/kudo/view/planned-tasks';
import { limits } from '@/lib/limits/limits';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { STREAM_KEY_BYTES } from '@/lib/random/key-stream';
import { systemRandom } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import { KindIndex } from '@/server/kube/kinds';
import { inputsByTask } from '@/server/live-values/inputs-by-task';
import { readSources } from '@/server/parameters/read-sources';
import { unreadSource, withReadValues } from '@/server/parameters/with-read-values';
import { previewChange } from '@/server/preconditions/preview-change';
import { readPlanObjects } from '@/server/preconditions/read-plan-objects';
import { completedSteps } from './completed-steps';
import { markPlanned } from './mark-planned';
import { objectTexts, secretMasker } from './object-texts';
import type { PlanStartRequest } from './parse-edit';
import { volumesOf } from './plan-volumes';
import { type PairReader, pairsOf } from './planned-pairs';
import { wouldChange } from './preview-apply';
import { type InstanceKey, readInstance, type StoredInstance } from './read-instance';
import { type PlannedState, type PreviewCluster, renderPlanned, servedBy } from './render-planned';

/** What starting a plan would do, with the parameters that go with its start. */
export async function previewPlan(
  api: Api,
  key: InstanceKey,
  { plan, parameters = {}, wishes = {} }: PlanStartRequest,
  clock: Pick<Clock, 'now'>,
): Promise<PlanPreview> {
  const { retryOf } = wishes;
  const stored = await readInstance(api, key);
  const edit = { ...startEdit(stored.instance, stored.operatorVersion, { plan, parameters }), ...gateWishes(wishes) };
  return previewEffects(api, stored, retryOf === undefined ? { edit } : { edit, retryOf }, clock);
}

/** An edit, or a start of a plan. */
export interface PreviewedStart {
  readonly edit: InstanceEdit;
  /** The PlanRun that is repeated: steps that it completed do not run again. */
  readonly retryOf?: string;
}

const NOTHING = {
  unchecked: [],
  tasks: [],
  objects: [],
  unchanged: 0,
  restarts: [],
  volumes: [],
  problems: [],
  token: '',
};

/**
 * What a start of a plan, or an edit that starts one, would do: the plan is rendered with the edit, and its objects are compared with
 * those of the cluster. Nothing is written; everything is read and asked for with the rights of the person.
 */
export async function previewEffects(
  api: Api,
  stored: StoredInstance,
  { edit, retryOf }: PreviewedStart,
  clock: Pick<Clock, 'now'>,
): Promise<PlanPreview> {
  const { instance, operatorVersion } = stored;
  const preview = await previewChange(api, instance, operatorVersion, edit);
  const plan = preview.plan ?? edit.plan;
  const { outcome, message, confirmation } = preview;
  const base = { outcome, plan, message, confirmation };
  const version = edit.operatorVersion ?? operatorVersion;
  if (plan === undefined || version?.spec?.plans?.[plan] === undefined) return { ...base, ...NOTHING };
  const reads = await readSources(api, [instance]);
  const next = withReadValues(preview.instance, reads, SECRET_MARK);
  const nowMs = clock.now();
  const retry = {
    retryOf,
    plan,
    operatorVersion: version,
    isSame: preview.changes.length === 0,
    now: formatTime(nowMs),
  };
  const isLeftOut = await completedSteps(api, instance, retry);
  const kinds = new KindIndex(api);
  const live = await inputsByTask({ api, kinds, instance: next, operatorVersion: version }, plan);
  const cluster = { ...(await servedBy(api)), nowMs, liveByTask: live };
  const state = renderPlanned(next, version, plan, { ...cluster, isLeftOut });
  // The record of a retry has the steps that it left out, too.
  const [whole, again] = [cluster, otherwise(cluster)].map((each) => renderPlanned(next, version, plan, each));
  const hidden = secretValues([...live.values()].filter((each) => typeof each !== 'string'));
  const token = previewToken(
    manifestsOf(whole),
    manifestsOf(again),
    new Set([...knownSecretTexts(next, version), ...hidden]),
  );
  const reader = { api, kinds, problems: [...state.problems], unchecked: [] };
  reader.problems.push(...(await markPlanned(api, state.all)));
  const pairs = await pairsOf(reader, state, next);
  const states = [
    { instance: next, operatorVersion: version },
    { instance: withReadValues(instance, reads), operatorVersion: operatorVersion ?? version },
  ];
  const mask = secretMasker(states, hidden);
  const volumes = await volumesOf(api, instance, { plan, state, problems: reader.problems });
  const preconditions = await uncheckedPreconditions(reader, { plan, instance: next, operatorVersion: version });
  return {
    ...base,
    ...effectsOf(state, pairs, mask),
    unchecked: [...unread(preview.instance, reads), ...preconditions, ...reader.unchecked].map(mask),
    volumes,
    problems: reader.problems.map(mask),
    token,
  };
}

/** Another time, and other random values: what differs then differs in each run. */
function otherwise(cluster: PreviewCluster): PreviewCluster {
  return { ...cluster, nowMs: cluster.nowMs + MUCH_LATER_MS, streamKey: systemRandom.bytes(STREAM_KEY_BYTES) };
}

/** More than a year, an hour, a minute and a second. */
const MUCH_LATER_MS = 400 * 86_400_000 + 3_661_000;

function manifestsOf(state: PlannedState | undefined): PlannedManifest[] {
  const tasks = (state?.tasks ?? []).filter(({ kind }) => RENDERED_TASKS.has(kind));
  return tasks.flatMap(({ phase, step, task, objects }) =>
    objects.map(({ object, isDeleted }) => ({ phase, step, task, object, isDeleted })),
  );
}

function effectsOf(state: PlannedState, pairs: ReadonlyMap<string, PlannedPair>, mask: (text: string) => string) {
  const all = [...pairs.values()];
  const isUnchanged = (pair: PlannedPair) => pair.live !== undefined && plannedChange(pair) === undefined;
  return {
    tasks: plannedTasks(state.tasks, { liveOf: (id) => pairs.get(id)?.live, isChanged: wouldChange }),
    objects: changesOf(all, mask),
    unchanged: all.filter(isUnchanged).length,
    restarts: all.flatMap((pair) => podsRestart(pair, statesOf(pair, state)) ?? []),
  };
}

/** Values that the person may not read look changed wherever they are. */
function unread(instance: Instance, reads: SourceReads): string[] {
  const problem = unreadSource(instance, reads);
  return problem === undefined ? [] : [`${problem} Objects that hold its values look changed.`];
}

/** With the texts of each object, as long as they are not too large together. */
function changesOf(pairs: readonly PlannedPair[], mask: (text: string) => string): PlanObjectChange[] {
  let chars = 0;
  return pairs.flatMap((pair) => {
    const found = plannedChange(pair);
    if (found === undefined) return [];
    const { object, place, live, after, isDeleted } = pair;
    const texts = objectTexts(live, isDeleted ? undefined : after, mask);
    chars += texts.before.length + texts.after.length;
    const shown = chars > limits.previewChars ? { before: '', after: '' } : texts;
    return [{ kind: object.kind, name: nameOf(object), ...found, place, ...shown }];
  });
}

/** Preconditions that this person's rights do not suffice to check. */
async function uncheckedPreconditions(reader: Pick<PairReader, 'api' | 'kinds'>, start: PlanStart): Promise<string[]> {
  const found = judgePreconditions(start, await readPlanObjects(reader, [start]));
  return found.filter(({ outcome }) => outcome === 'unknown').map(({ message }) => message);
}

/** Each state in which the plan applies the object. */
function statesOf({ object }: PlannedPair, { all }: PlannedState): KubeObject[] {
  const isSame = (other: KubeObject) => other.kind === object.kind && other.metadata.name === object.metadata.name;
  return all.filter((each) => !each.isDeleted && isSame(each.object)).map((each) => each.object);
}
