import type { Clock } from '@/lib/clock/clock';
import type { KubeObject } from '@/lib/kube/object';
import { formatApiVersion, nameOf, namespaceOf } from '@/lib/kube/object';
import { DEPLOY_PLAN, hasPlan } from '@/lib/kudo/names';
import type { InstallPreview, InstallRequest, PreviewObject, PreviewTask } from '@/lib/kudo/package/catalogue';
import { newInstance } from '@/lib/kudo/package/to-objects';
import { parameterProblems } from '@/lib/kudo/parameters/parameter-problems';
import { type RenderedTask, type RenderInput, renderPlan } from '@/lib/kudo/rendering/render';
import { unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import type { OperatorVersion } from '@/lib/kudo/types';
import { systemRandom } from '@/lib/random/random';
import { writeYaml } from '@/lib/yaml/yaml';
import type { Api } from '@/server/kube/api';
import { KindIndex } from '@/server/kube/kinds';
import { presentObject } from '@/server/live/present';
import { inputsByTask } from '@/server/live-values/inputs-by-task';

/** Where an install is previewed. */
export interface PreviewContext {
  readonly api: Api;
  readonly clock: Pick<Clock, 'now'>;
  /** `deploy` when absent. */
  readonly plan?: string;
}

/** Every object of a plan, rendered but not sent. Random values of templates differ in the real run. */
export async function previewInstall(
  version: OperatorVersion,
  wish: InstallRequest,
  { api, clock, plan = DEPLOY_PLAN }: PreviewContext,
): Promise<InstallPreview> {
  const problems = parameterProblems(version, wish.parameters).map(({ path, message }) => ({ field: path, message }));
  if (problems.length > 0 || !hasPlan(version, plan)) return { tasks: [], problems };
  const instance = newInstance(version, {
    namespace: wish.namespace,
    name: wish.instance,
    parameters: wish.parameters,
  });
  const operatorVersion = { ...version, metadata: { ...version.metadata, namespace: wish.namespace } };
  const reader = { api, kinds: new KindIndex(api), instance, operatorVersion };
  const tasks = renderPlan({
    operatorVersion,
    liveByTask: await inputsByTask(reader, plan),
    instance,
    plan,
    uid: 'preview',
    parameters: unwrapParameters(version, wish.parameters),
    ...(await servedBy(api)),
    environment: { clock, random: systemRandom, hasDraftKeys: true },
  });
  return { tasks: tasks.map(previewTask), problems };
}

/** A kind that is not served yet may be created by an earlier step: it counts as namespaced. */
async function servedBy(api: Api): Promise<Required<Pick<RenderInput, 'scopeOf' | 'serves'>>> {
  const { resources } = await api.discover();
  const namespacedByKind = new Map(
    resources.map(({ group, version, kind, namespaced }) => [
      `${formatApiVersion(group, version)} ${kind}`,
      namespaced,
    ]),
  );
  return {
    scopeOf: (apiVersion, kind) => (namespacedByKind.get(`${apiVersion} ${kind}`) === false ? 'cluster' : 'namespaced'),
    serves: (apiVersion, kind) => namespacedByKind.has(`${apiVersion} ${kind}`),
  };
}

function previewTask({ phase, step, task, rendered, problem }: RenderedTask): PreviewTask {
  return {
    phase,
    step,
    task: task.name,
    kind: task.kind,
    objects: rendered?.objects.map(previewObject) ?? [],
    warnings: rendered?.warnings ?? [],
    problem,
  };
}

function previewObject(object: KubeObject): PreviewObject {
  const shown = presentObject(object, () => undefined);
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    namespace: namespaceOf(object),
    name: nameOf(object),
    yaml: writeYaml(shown),
  };
}
