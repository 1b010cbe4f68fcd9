import { BravoError, messageOf } from '@/lib/errors/errors';
import { stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { DEPENDENCIES_HASH_ANNOTATION } from '@/lib/kudo/names';
import {
  type Dependency,
  type DependencySource,
  dependenciesOf,
  dependencyHash,
  findInTask,
} from '@/lib/kudo/rendering/dependency-hash';
import { markPodTemplate, podTemplatePath } from '@/lib/kudo/rendering/enhance';
import type { Api } from '@/server/kube/api';
import type { PlannedObject } from './render-planned';

/**
 * Sets the annotation by which pods restart when a ConfigMap or Secret that they mount changes, as the controller does. The objects are
 * changed. What is not of the same task is as the tasks before leave it, else as it is in the cluster.
 *
 * @param all every object of a plan, in its order
 * @returns why a hash is not known, a sentence each
 */
export async function markPlanned(api: Pick<Api, 'get'>, all: readonly PlannedObject[]): Promise<string[]> {
  const problems: string[] = [];
  for (const [index, planned] of all.entries()) {
    const { object, isDeleted } = planned;
    const dependencies = isDeleted || podTemplatePath(object) === undefined ? [] : dependenciesOf(object);
    if (dependencies.length === 0) continue;
    try {
      const sources = await Promise.all(dependencies.map((each) => sourceOf(api, all, index, each)));
      markPodTemplate(object, { [DEPENDENCIES_HASH_ANNOTATION]: dependencyHash(sources) });
    } catch (error) {
      if (!(error instanceof BravoError)) throw error;
      problems.push(`Whether pods of ${object.kind} ${nameOf(object)} restart is not known: ${messageOf(error)}`);
    }
  }
  return problems;
}

async function sourceOf(
  api: Pick<Api, 'get'>,
  all: readonly PlannedObject[],
  index: number,
  dependency: Dependency,
): Promise<DependencySource> {
  const task = all[index]?.task;
  const own = all.filter((each) => each.task === task).map(({ object }) => object);
  const sibling = findInTask(own, dependency);
  if (sibling !== undefined) return { from: 'task', object: sibling };
  const before = all.slice(0, index).filter(({ object }) => findInTask([object], dependency) !== undefined);
  const left = before.at(-1);
  if (left !== undefined) return left.isDeleted ? undefined : { from: 'task', object: left.object };
  const live = await api.get({
    group: '',
    version: 'v1',
    resource: dependency.kind === 'ConfigMap' ? 'configmaps' : 'secrets',
    namespace: dependency.namespace,
    name: dependency.name,
  });
  return live === undefined ? undefined : { from: 'live', object: live };
}

/** Takes the hash over from the live object when it could not be found out: the pods are taken to stay. The object is changed. */
export function keepUnknownHash(object: KubeObject, live: KubeObject | undefined): void {
  const path = podTemplatePath(object);
  if (path === undefined || live === undefined || dependenciesOf(object).length === 0) return;
  const hashOf = (from: KubeObject) => stringAt(from, ...path, 'metadata', 'annotations', DEPENDENCIES_HASH_ANNOTATION);
  const hash = hashOf(live);
  if (hash !== undefined && hashOf(object) === undefined)
    markPodTemplate(object, { [DEPENDENCIES_HASH_ANNOTATION]: hash });
}
