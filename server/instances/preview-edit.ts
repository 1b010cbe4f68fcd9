import type { Clock } from '@/lib/clock/clock';
import type { JsonValue } from '@/lib/json/json';
import { formatApiVersion, type KubeObject, nameOf } from '@/lib/kube/object';
import type { EditPreview, ObjectChange, ParameterEdit } from '@/lib/kudo/parameter-edit';
import { effectiveValues, parseGoBoolean, secretParameters } from '@/lib/kudo/parameters';
import { type RenderedTask, type RenderInput, renderPlan } from '@/lib/kudo/rendering/render';
import { unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import { sourcesOf } from '@/lib/kudo/sources/parameter-source';
import { planForChange } from '@/lib/kudo/triggers';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { keyStream, STREAM_KEY_BYTES } from '@/lib/random/key-stream';
import { systemRandom } from '@/lib/random/random';
import { writeYaml } from '@/lib/yaml/yaml';
import type { Api } from '@/server/kube/api';
import { readSources } from '@/server/parameters/read-sources';
import { withReadValues } from '@/server/parameters/with-read-values';
import { type InstanceKey, readInstance } from './read-instance';

/**
 * What an edit would do: the plan is rendered with the values as they are and with the edit in them, and the objects are
 * compared. Nothing is written, and nothing is asked of the cluster but the Instance and the kinds that it serves.
 */
export async function previewEdit(api: Api, key: InstanceKey, edit: ParameterEdit, clock: Clock): Promise<EditPreview> {
  const { instance, operatorVersion } = await readInstance(api, key);
  const preview = planForChange(instance, operatorVersion, { parameters: edit.parameters });
  const base = {
    outcome: preview.outcome,
    plan: preview.plan,
    message: preview.message,
    warnings: preview.warnings,
  };
  if (preview.plan === undefined || operatorVersion === undefined) {
    return { ...base, objects: [], unchanged: 0, problems: [] };
  }
  // Both states draw the same random bytes: what is random must not look changed.
  const streamKey = systemRandom.bytes(STREAM_KEY_BYTES);
  const cluster = { ...(await servedBy(api)), nowMs: clock.now(), streamKey };
  const render = (values: Instance) => renderState(values, operatorVersion, preview.plan ?? '', cluster);
  const reads = await readSources(api, [instance]);
  // What the person may not read is the same text before and after, so that it does not look changed.
  const known = [instance, preview.instance].map((one) => withReadValues(one, reads, SECRET_MARK));
  const [is = instance, becomes = preview.instance] = known;
  const before = render(is);
  const after = render(becomes);
  const mask = masker(operatorVersion, known);
  const changes = after.objects.map((object) => compare(before.objects, object, mask));
  const gone = before.objects
    .filter(({ id }) => !after.objects.some((object) => object.id === id))
    .map((object) => removal(object, mask));
  return {
    ...base,
    objects: [...changes.filter((change) => change !== undefined), ...gone],
    unchanged: changes.filter((change) => change === undefined).length,
    problems: after.problems,
  };
}

type Served = Required<Pick<RenderInput, 'scopeOf' | 'serves'>>;

interface PlannedObject {
  readonly id: string;
  readonly object: KubeObject;
  readonly place: string;
  /** The plan removes it. */
  readonly isDeleted: boolean;
}

function renderState(
  instance: Instance,
  operatorVersion: OperatorVersion,
  plan: string,
  { nowMs, streamKey, ...served }: Served & { readonly nowMs: number; readonly streamKey: Uint8Array },
): { objects: PlannedObject[]; problems: string[] } {
  const values = effectiveValues(operatorVersion, instance);
  const tasks = renderPlan({
    operatorVersion,
    instance,
    plan,
    uid: 'preview',
    parameters: unwrapParameters(operatorVersion, instance.spec?.parameters),
    ...served,
    environment: { clock: { now: () => nowMs }, random: keyStream(streamKey, 'preview'), hasDraftKeys: true },
  });
  const objects = tasks.flatMap((task) => plannedObjects(task, values));
  const problems = tasks.flatMap(({ task, problem }) =>
    problem === undefined ? [] : [`Task ${task.name}: ${problem}`],
  );
  return { objects: [...new Map(objects.map((planned) => [planned.id, planned])).values()], problems };
}

function plannedObjects(
  { task, rendered, phase, step }: RenderedTask,
  values: ReadonlyMap<string, string>,
): PlannedObject[] {
  const isOff = task.kind === 'Toggle' && parseGoBoolean(values.get(task.spec?.parameter ?? '') ?? '') === false;
  return (rendered?.objects ?? []).map((object) => ({
    id: `${object.apiVersion} ${object.kind} ${object.metadata.namespace ?? ''} ${nameOf(object)}`,
    object,
    place: `${phase} / ${step}`,
    isDeleted: isOff || task.kind === 'Delete',
  }));
}

type Mask = (object: KubeObject) => string;

function compare(before: readonly PlannedObject[], after: PlannedObject, mask: Mask): ObjectChange | undefined {
  const was = before.find(({ id }) => id === after.id);
  const isThere = was !== undefined && !was.isDeleted;
  const names = { kind: after.object.kind, name: nameOf(after.object), place: after.place };
  if (after.isDeleted) return isThere ? removal(was, mask) : undefined;
  if (!isThere) return { ...names, change: 'create', before: '', after: mask(after.object) };
  if (writeYaml(was.object) === writeYaml(after.object)) return undefined;
  return { ...names, change: 'change', before: mask(was.object), after: mask(after.object) };
}

function removal({ object, place }: PlannedObject, mask: Mask): ObjectChange {
  return { kind: object.kind, name: nameOf(object), place, change: 'delete', before: mask(object), after: '' };
}

const SHORTEST_SECRET = 4;

/** Writes an object for people: without the marks of the run, Secret data and values of secret parameters masked. */
function masker(operatorVersion: OperatorVersion, states: readonly Instance[]): Mask {
  const names = secretParameters(operatorVersion);
  for (const { spec } of states) {
    for (const { kind, parameter } of sourcesOf(spec)) if (kind === 'Secret') names.add(parameter);
  }
  const secrets = states.flatMap((state) =>
    [...effectiveValues(operatorVersion, state)].flatMap(([name, value]) =>
      names.has(name) && value.length >= SHORTEST_SECRET ? [value] : [],
    ),
  );
  return (object) => {
    const { annotations, ...metadata } = object.metadata;
    const kept = Object.entries(annotations ?? {}).filter(([key]) => !key.startsWith('kudo.dev/'));
    const shown = {
      ...object,
      metadata: kept.length === 0 ? metadata : { ...metadata, annotations: Object.fromEntries(kept) },
    };
    if (object.kind === 'Secret') for (const field of ['data', 'stringData']) maskField(shown, field);
    return secrets.reduce((text, secret) => text.replaceAll(secret, SECRET_MARK), writeYaml(shown));
  };
}

function maskField(object: KubeObject, field: string): void {
  const values = object[field] as JsonValue | undefined;
  if (typeof values !== 'object' || values === null) return;
  object[field] = Object.fromEntries(Object.keys(values).map((key) => [key, SECRET_MARK]));
}

async function servedBy(api: Api): Promise<Served> {
  const { resources } = await api.discover();
  const known = new Map(
    resources.map((type) => [`${formatApiVersion(type.group, type.version)}/${type.kind}`, type.namespaced]),
  );
  return {
    scopeOf: (apiVersion, kind) => {
      const namespaced = known.get(`${apiVersion}/${kind}`);
      return namespaced === undefined ? undefined : namespaced ? 'namespaced' : 'cluster';
    },
    serves: (apiVersion, kind) => known.has(`${apiVersion}/${kind}`),
  };
}
