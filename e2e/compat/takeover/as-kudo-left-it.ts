import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';
import type { Instance, PlanStatus } from '@/lib/kudo/types';
import { KindIndex } from '@/server/kube/kinds';
import type { VirtualEngine } from '@/test/engine/virtual-engine';
import { goRecord } from './go-record';

/** Kinds that the operators of the tests create. */
const PLACES = [
  ['', 'configmaps'],
  ['', 'secrets'],
  ['', 'services'],
  ['', 'serviceaccounts'],
  ['', 'persistentvolumeclaims'],
  ['', 'pods'],
  ['apps', 'deployments'],
  ['apps', 'statefulsets'],
  ['apps', 'daemonsets'],
  ['batch', 'jobs'],
  ['batch', 'cronjobs'],
  ['policy', 'poddisruptionbudgets'],
  ['rbac.authorization.k8s.io', 'roles'],
  ['rbac.authorization.k8s.io', 'rolebindings'],
] as const;

/** The objects that plans applied in a namespace, by `kind/name`. */
export function appliedObjects(engine: VirtualEngine, namespace: string): Map<string, KubeObject> {
  const found = new Map<string, KubeObject>();
  for (const [group, resource] of PLACES) {
    for (const object of engine.sandbox.api.list({ group, version: 'v1', resource, namespace })) {
      if (object.metadata.annotations?.[LAST_APPLIED_ANNOTATION] === undefined) continue;
      found.set(`${object.kind}/${object.metadata.name}`, object);
    }
  }
  return found;
}

/**
 * Makes a namespace look as if KUDO 0.19 had managed it until now: annotations with the zero values of Go, statuses
 * without Bravo's messages, and nothing that only Bravo writes.
 */
export async function makeKudos(engine: VirtualEngine, namespace: string): Promise<void> {
  const kinds = new KindIndex(engine.people);
  const patch = async (object: KubeObject, change: JsonObject, subresource?: string) => {
    const target = await engine.run(kinds.targetOf(object));
    if (target === undefined) throw new Error(`the cluster does not know ${object.kind}`);
    await engine.run(engine.people.patch(target, 'merge', change, subresource === undefined ? {} : { subresource }));
  };
  for (const object of appliedObjects(engine, namespace).values()) {
    const record: JsonObject = JSON.parse(object.metadata.annotations?.[LAST_APPLIED_ANNOTATION] ?? '{}');
    await patch(object, { metadata: { annotations: { [LAST_APPLIED_ANNOTATION]: goRecord(record) } } });
  }
  const secrets = { group: '', version: 'v1', resource: 'secrets', namespace };
  for (const { metadata } of engine.sandbox.api.list(secrets)) {
    const isRun = metadata.name?.endsWith('.bravo-run') === true;
    if (isRun) await engine.run(engine.people.delete({ ...secrets, name: metadata.name ?? '' }));
  }
  const instances = { group: 'kudo.dev', version: 'v1beta1', resource: 'instances', namespace };
  for (const instance of engine.sandbox.api.list(instances) as Instance[]) {
    const names = Object.keys(instance.metadata.annotations ?? {}).filter((name) => name.startsWith('bravo.kudo.dev/'));
    if (names.length > 0) {
      await patch(instance, { metadata: { annotations: Object.fromEntries(names.map((name) => [name, null])) } });
    }
    const { planStatus = {}, conditions = [] } = instance.status ?? {};
    const plans = Object.entries(planStatus).map(([name, status]) => [name, wordless(status)] as const);
    const status = {
      planStatus: Object.fromEntries(plans),
      conditions: conditions.map((condition) => ({ ...condition, message: '' })),
    };
    await patch(instance, { status: status as unknown as JsonObject }, 'status');
  }
}

/** A merge patch replaces whole lists, so messages that it leaves out are removed. */
function wordless(status: PlanStatus): PlanStatus {
  const phases = (status.phases ?? []).map((phase) => ({
    ...phase,
    steps: (phase.steps ?? []).map(({ message: _, ...step }) => step),
  }));
  return { ...status, phases };
}
