import { formatApiVersion, type KubeObject, nameOf } from '@/lib/kube/object';
import type { LiveInputs } from '@/lib/kudo/live-values/live-inputs';
import { childInstanceName, type PipePlace, pipeObjectName } from '@/lib/kudo/names';
import { parseGoBoolean } from '@/lib/kudo/parameters/go-scalars';
import { effectiveValues } from '@/lib/kudo/parameters/parameters';
import { type RenderedTask, type RenderInput, renderPlan } from '@/lib/kudo/rendering/render';
import { unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import type { Instance, OperatorVersion, Task } from '@/lib/kudo/types';
import type { RenderedPlace } from '@/lib/kudo/view/planned-tasks';
import type { PlannedClaims } from '@/lib/kudo/view/volume-fate';
import { keyStream, STREAM_KEY_BYTES } from '@/lib/random/key-stream';
import { systemRandom } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';

/** The kinds that a cluster serves, the time, and the key of random bytes; the same for both sides of a comparison. */
export type PreviewCluster = Required<Pick<RenderInput, 'scopeOf' | 'serves'>> & {
  /** What the tasks of the plan read (server/live-values); empty when absent. */
  readonly liveByTask?: ReadonlyMap<string, LiveInputs | string>;
  readonly nowMs: number;
  readonly streamKey: Uint8Array;
  /** Steps that do not run, because an earlier run has completed them. */
  readonly isLeftOut?: (place: { readonly phase: string; readonly step: string }) => boolean;
};

/** An object as the last task of a plan that names it leaves it. */
export interface PlannedObject {
  /** Equal for the same object of two previews. */
  readonly id: string;
  readonly object: KubeObject;
  /** `phase / step`. */
  readonly place: string;
  /** Equal for objects of the same task. */
  readonly task: string;
  /** The plan removes it. */
  readonly isDeleted: boolean;
}

export interface PlannedState {
  /** Each object once, in the order in which the plan first names it. */
  readonly objects: readonly PlannedObject[];
  /** Every rendered object, in the order of the plan. */
  readonly all: readonly PlannedObject[];
  /** Every task, in the order of the plan. */
  readonly tasks: readonly RenderedPlace[];
  /** Tasks that cannot be rendered, a sentence each. */
  readonly problems: readonly string[];
}

/** The objects of a plan with the parameters of the Instance, rendered for a preview: nothing is written. */
export function renderPlanned(
  instance: Instance,
  operatorVersion: OperatorVersion,
  plan: string,
  { nowMs, streamKey, isLeftOut = () => false, ...served }: PreviewCluster,
): PlannedState {
  const values = effectiveValues(operatorVersion, instance);
  const rendered = renderPlan({
    operatorVersion,
    instance,
    plan,
    uid: 'preview',
    parameters: unwrapParameters(operatorVersion, instance.spec?.parameters),
    ...served,
    environment: { clock: { now: () => nowMs }, random: keyStream(streamKey, 'preview'), hasDraftKeys: true },
  }).filter(({ phase, step }) => !isLeftOut({ phase, step }));
  const tasks = rendered.map((each) => placeOf(each, values, { instance: nameOf(instance), plan }));
  const all = tasks.flatMap(({ phase, step, task, objects }) => {
    const [place, key] = [`${phase} / ${step}`, JSON.stringify([phase, step, task])];
    return objects.map((touch): PlannedObject => ({ ...touch, place, task: key }));
  });
  const problems = rendered.flatMap(({ task, problem }) =>
    problem === undefined ? [] : [`Task ${task.name}: ${problem}`],
  );
  return { objects: [...new Map(all.map((planned) => [planned.id, planned])).values()], all, tasks, problems };
}

/** Claims, and StatefulSets that may delete their claims. */
const HOLDS_DATA: ReadonlySet<string> = new Set(['PersistentVolumeClaim', 'StatefulSet']);

/** What a rendered plan does to claims, for the fates of volumes. */
export function plannedClaims(plan: string, { objects, all }: PlannedState): PlannedClaims {
  return {
    plan,
    // A claim that is deleted and created again has lost its data; any other object is then as it was.
    deleted: new Set(
      [...all.filter(({ object }) => HOLDS_DATA.has(object.kind)), ...objects]
        .filter(({ isDeleted }) => isDeleted)
        .map(({ object }) => `${object.kind}/${nameOf(object)}`),
    ),
    statefulSets: appliedOf('StatefulSet', all),
    claims: appliedOf('PersistentVolumeClaim', all),
  };
}

function appliedOf(kind: string, all: readonly PlannedObject[]): KubeObject[] {
  return all.filter(({ object, isDeleted }) => object.kind === kind && !isDeleted).map(({ object }) => object);
}

/** Asks the cluster which kinds it serves, and draws the key of the random bytes. */
export async function servedBy(api: Api): Promise<Omit<PreviewCluster, 'nowMs'>> {
  const { resources } = await api.discover();
  const known = new Map(
    resources.map((type) => [`${formatApiVersion(type.group, type.version)}/${type.kind}`, type.namespaced]),
  );
  return {
    streamKey: systemRandom.bytes(STREAM_KEY_BYTES),
    scopeOf: (apiVersion, kind) => {
      const namespaced = known.get(`${apiVersion}/${kind}`);
      return namespaced === undefined ? undefined : namespaced ? 'namespaced' : 'cluster';
    },
    serves: (apiVersion, kind) => known.has(`${apiVersion}/${kind}`),
  };
}

function placeOf(
  { task, rendered, phase, step }: RenderedTask,
  values: ReadonlyMap<string, string>,
  of: { readonly instance: string; readonly plan: string },
): RenderedPlace {
  const place = { phase, step, task: task.name };
  const generated = generatedBy(task, { ...of, ...place });
  const isOff = task.kind === 'Toggle' && parseGoBoolean(values.get(task.spec?.parameter ?? '') ?? '') === false;
  // The pod of a pipe is deleted when it has written what the task is for.
  const objects = (task.kind === 'Pipe' ? [] : (rendered?.objects ?? [])).map((object) => ({
    id: `${object.apiVersion} ${object.kind} ${object.metadata.namespace ?? ''} ${nameOf(object)}`,
    object,
    isDeleted: isOff || task.kind === 'Delete',
  }));
  return { ...place, kind: task.kind, objects, generated };
}

/** What a task writes that is not in its templates: the artifacts of a pipe, and a child Instance. */
function generatedBy({ kind, spec = {} }: Task, place: PipePlace): RenderedPlace['generated'] {
  if (kind === 'KudoOperator') {
    const name = spec.instanceName || childInstanceName(place.instance, spec.package ?? '');
    return [{ kind: 'Instance', name }];
  }
  const entries = kind === 'Pipe' ? (spec.pipe ?? []) : [];
  return entries.map((entry) => ({ kind: entry.kind ?? '', name: pipeObjectName(place, entry.key ?? '') }));
}
