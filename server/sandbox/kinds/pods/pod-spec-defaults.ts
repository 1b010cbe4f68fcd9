import type { JsonObject } from '@/lib/json/json';
import { ensureObject, fill, objectOf, objectsOf } from '../base/access';
import { defaultContainer } from './container-defaults';
import { defaultVolume } from './volume-defaults';

const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Every container of a pod spec, in the order in which they are written. */
export function containersOf(spec: JsonObject | undefined): JsonObject[] {
  return CONTAINER_LISTS.flatMap((list) => objectsOf(spec, list));
}

/** Defaults of a pod spec, in pods and in templates (Kubernetes pkg/apis/core/v1 SetDefaults_PodSpec). */
export function defaultPodSpec(spec: JsonObject): void {
  fill(spec, {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    securityContext: {},
    schedulerName: 'default-scheduler',
  });
  const grace = spec.terminationGracePeriodSeconds;
  if (typeof grace === 'number' && grace < 0) spec.terminationGracePeriodSeconds = 1;
  mirrorServiceAccount(spec);
  for (const container of containersOf(spec)) defaultContainer(container);
  for (const volume of objectsOf(spec, 'volumes')) defaultVolume(volume);
}

/** `serviceAccount` is the old name of `serviceAccountName`; both are written. */
function mirrorServiceAccount(spec: JsonObject): void {
  const name = spec.serviceAccountName ?? spec.serviceAccount;
  if (typeof name !== 'string' || name === '') return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

/** What pods have beyond templates: requests follow limits, host ports follow container ports. */
export function defaultPod(pod: JsonObject): void {
  const spec = ensureObject(pod, 'spec');
  defaultPodSpec(spec);
  fill(spec, { enableServiceLinks: true });
  for (const container of containersOf(spec)) {
    requestsFollowLimits(container);
    if (spec.hostNetwork === true) {
      for (const port of objectsOf(container, 'ports')) fill(port, { hostPort: port.containerPort ?? 0 });
    }
  }
}

function requestsFollowLimits(container: JsonObject): void {
  const resources = objectOf(container, 'resources');
  const limits = objectOf(resources, 'limits');
  if (resources === undefined || limits === undefined) return;
  fill(ensureObject(resources, 'requests'), limits as { [name: string]: string });
}
