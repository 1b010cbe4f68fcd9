import type { JsonObject } from '@/lib/json/json';
import { fill, objectOf, objectsOf, textOf } from '../base/access';

/** Defaults of containers (Kubernetes pkg/apis/core/v1 SetDefaults_Container, _Probe, _HTTPGetAction …). */
export function defaultContainer(container: JsonObject): void {
  fill(container, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicyOf(textOf(container, 'image')),
  });
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = objectOf(container, name);
    if (probe !== undefined) defaultProbe(probe);
  }
  const lifecycle = objectOf(container, 'lifecycle');
  defaultHandler(objectOf(lifecycle, 'postStart'));
  defaultHandler(objectOf(lifecycle, 'preStop'));
  for (const variable of objectsOf(container, 'env')) defaultSource(objectOf(variable, 'valueFrom'));
}

/** An image without a tag, or with `latest`, is always pulled. */
export function pullPolicyOf(image: string): string {
  if (image.includes('@')) return 'IfNotPresent';
  const name = image.slice(image.lastIndexOf('/') + 1);
  const colon = name.indexOf(':');
  const tag = colon < 0 ? 'latest' : name.slice(colon + 1);
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultProbe(probe: JsonObject): void {
  fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  defaultHandler(probe);
}

function defaultHandler(handler: JsonObject | undefined): void {
  const http = objectOf(handler, 'httpGet');
  if (http !== undefined) fill(http, { path: '/', scheme: 'HTTP' });
}

function defaultSource(source: JsonObject | undefined): void {
  const field = objectOf(source, 'fieldRef');
  if (field !== undefined) fill(field, { apiVersion: 'v1' });
  const resource = objectOf(source, 'resourceFieldRef');
  if (resource !== undefined) fill(resource, { divisor: '0' });
}
