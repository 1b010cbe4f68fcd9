import { arrayAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { INSTANCE_LABEL, OPERATOR_LABEL } from '@/lib/kudo/names';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import type { Instance } from '@/lib/kudo/types';
import { collectList, collectPods, type DiagnosticsContext } from './collect-objects';

const RBAC = 'rbac.authorization.k8s.io';

/** KUDO's kinds, then those that KUDO did not collect. */
const KINDS = [
  ['service', '', 'services'],
  ['deployment', 'apps', 'deployments'],
  ['statefulset', 'apps', 'statefulsets'],
  ['replicaset', 'apps', 'replicasets'],
  ['serviceaccount', '', 'serviceaccounts'],
  ['rolebinding', RBAC, 'rolebindings'],
  ['role', RBAC, 'roles'],
  ['configmap', '', 'configmaps'],
  ['daemonset', 'apps', 'daemonsets'],
  ['job', 'batch', 'jobs'],
  ['cronjob', 'batch', 'cronjobs'],
] as const;
/** Their pods are named after them, with one more word: `web-0`, `web-7c9f4-x2k8p`. */
const MAKES_PODS: ReadonlySet<string> = new Set(['StatefulSet', 'ReplicaSet', 'DaemonSet', 'Job']);
const CLUSTER_KINDS = [
  ['clusterrolebinding', RBAC, 'clusterrolebindings'],
  ['clusterrole', RBAC, 'clusterroles'],
] as const;

/**
 * Writes the objects of one Instance, its PlanRuns, the volume claims of its pods, and the events about all of them. An object belongs to the
 * Instance whose name its label `kudo.dev/instance` has. (KUDO took the objects of all Instances of the operator.)
 */
export async function collectOwned(
  context: DiagnosticsContext,
  folder: string,
  { instance, operatorName }: { readonly instance: Instance; readonly operatorName: string },
): Promise<void> {
  const { namespace } = context.session;
  const labelSelector = `${OPERATOR_LABEL}=${operatorName},${INSTANCE_LABEL}=${nameOf(instance)}`;
  const pods = await collectPods(context, folder, {
    target: { group: '', version: 'v1', resource: 'pods', namespace },
    labelSelector,
  });
  const objects: KubeObject[] = [instance, ...pods];
  for (const [kind, group, resource] of KINDS) {
    const target = { group, version: 'v1', resource, namespace };
    objects.push(...(await collectList(context, folder, { kind, target, labelSelector })));
  }
  for (const [kind, group, resource] of CLUSTER_KINDS) {
    const target = { group, version: 'v1', resource };
    objects.push(...(await collectList(context, folder, { kind, target, labelSelector })));
  }
  // Claims that a StatefulSet makes do not have the label.
  const mounted = new Set(pods.flatMap(claimsOf));
  objects.push(
    ...(await collectList(context, folder, {
      kind: 'persistentvolumeclaim',
      target: { group: '', version: 'v1', resource: 'persistentvolumeclaims', namespace },
      labelSelector: '',
      isWanted: (claim) => mounted.has(nameOf(claim)) || claim.metadata.labels?.[INSTANCE_LABEL] === nameOf(instance),
    })),
  );
  await collectList(context, folder, {
    kind: 'planrun',
    target: { ...PLAN_RUNS, namespace },
    labelSelector: '',
    isWanted: ({ spec }) => stringAt(spec, 'instanceName') === nameOf(instance),
    shown: withoutValues,
  });
  await collectList(context, folder, {
    kind: 'event',
    target: { group: '', version: 'v1', resource: 'events', namespace },
    labelSelector: '',
    isWanted: isAbout(objects),
  });
}

/** Values of parameters are in the Instance, where those that are secret are masked. */
function withoutValues(run: KubeObject): KubeObject {
  const { changes: _, ...status } = (run as PlanRun).status ?? {};
  return { ...run, status };
}

function claimsOf(pod: KubeObject): string[] {
  const claims = arrayAt(pod, 'spec', 'volumes').map((volume) =>
    stringAt(volume, 'persistentVolumeClaim', 'claimName'),
  );
  return claims.filter((name) => name !== undefined);
}

/** True for events about one of the objects, about an earlier object of the same kind and name, and about earlier pods of theirs. */
function isAbout(objects: readonly KubeObject[]): (event: KubeObject) => boolean {
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  const places = new Set(objects.map((object) => `${object.kind}/${nameOf(object)}`));
  const workloads = new Set(objects.filter(({ kind }) => MAKES_PODS.has(kind)).map(nameOf));
  return (event) => {
    const kind = stringAt(event, 'involvedObject', 'kind') ?? '';
    const name = stringAt(event, 'involvedObject', 'name') ?? '';
    if (uids.has(stringAt(event, 'involvedObject', 'uid')) || places.has(`${kind}/${name}`)) return true;
    return kind === 'Pod' && workloads.has(name.slice(0, name.lastIndexOf('-')));
  };
}
