import type { JsonObject } from '@/lib/json/json';
import { ensureObject, fill, objectOf, objectsOf, textOf } from '../base/access';

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
  if (Number(spec.terminationGracePeriodSeconds) < 0) spec.terminationGracePeriodSeconds = 1;
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
    const limits = objectOf(objectOf(container, 'resources'), 'limits');
    if (limits !== undefined) fill(ensureObject(ensureObject(container, 'resources'), 'requests'), limits);
    if (spec.hostNetwork !== true) continue;
    for (const port of objectsOf(container, 'ports')) fill(port, { hostPort: port.containerPort ?? 0 });
  }
}

/** SetDefaults_Container, _Probe, _HTTPGetAction … */
function defaultContainer(container: JsonObject): void {
  fill(container, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicyOf(textOf(container, 'image')),
  });
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = objectOf(container, name);
    fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
    defaultHandler(probe);
  }
  const lifecycle = objectOf(container, 'lifecycle');
  defaultHandler(objectOf(lifecycle, 'postStart'));
  defaultHandler(objectOf(lifecycle, 'preStop'));
  for (const variable of objectsOf(container, 'env')) defaultReferences(objectOf(variable, 'valueFrom'));
}

/** An image without a tag, or with `latest`, is always pulled. */
function pullPolicyOf(image: string): string {
  if (image.includes('@')) return 'IfNotPresent';
  const name = image.slice(image.lastIndexOf('/') + 1);
  return name.includes(':') && !name.endsWith(':latest') ? 'IfNotPresent' : 'Always';
}

function defaultHandler(handler: JsonObject | undefined): void {
  fill(objectOf(handler, 'httpGet'), { path: '/', scheme: 'HTTP' });
}

/** SetDefaults_Volume and its sources. */
function defaultVolume(volume: JsonObject): void {
  if (Object.keys(volume).every((key) => key === 'name')) volume.emptyDir = {};
  for (const source of ['secret', 'configMap', 'downwardAPI', 'projected']) {
    fill(objectOf(volume, source), { defaultMode: 0o644 });
  }
  for (const source of [volume, ...objectsOf(objectOf(volume, 'projected'), 'sources')]) {
    fill(objectOf(source, 'serviceAccountToken'), { expirationSeconds: 3600 });
    for (const item of objectsOf(objectOf(source, 'downwardAPI'), 'items')) defaultReferences(item);
  }
  fill(objectOf(volume, 'hostPath'), { type: '' });
  fill(objectOf(objectOf(objectOf(volume, 'ephemeral'), 'volumeClaimTemplate'), 'spec'), { volumeMode: 'Filesystem' });
}

/** Of variables and of files of the downward API. */
function defaultReferences(source: JsonObject | undefined): void {
  fill(objectOf(source, 'fieldRef'), { apiVersion: 'v1' });
  fill(objectOf(source, 'resourceFieldRef'), { divisor: '0' });
}
