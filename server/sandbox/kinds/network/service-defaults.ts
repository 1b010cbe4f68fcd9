import type { JsonObject } from '@/lib/json/json';
import { ensureObject, fill, objectOf, objectsOf } from '../base/access';

/** Defaults of a Service (Kubernetes pkg/apis/core/v1 SetDefaults_Service). */
export function defaultService(service: JsonObject): void {
  const spec = ensureObject(service, 'spec');
  fill(spec, { sessionAffinity: 'None', type: 'ClusterIP' });
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP') {
    fill(ensureObject(ensureObject(spec, 'sessionAffinityConfig'), 'clientIP'), { timeoutSeconds: 10_800 });
  }
  for (const port of objectsOf(spec, 'ports')) {
    fill(port, { protocol: 'TCP' });
    if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === '') {
      port.targetPort = port.port ?? 0;
    }
  }
  if (isExternal(spec)) fill(spec, { externalTrafficPolicy: 'Cluster' });
  if (spec.type !== 'ExternalName') fill(spec, { internalTrafficPolicy: 'Cluster' });
  if (spec.type !== 'LoadBalancer') return;
  fill(spec, { allocateLoadBalancerNodePorts: true });
  for (const ingress of objectsOf(objectOf(objectOf(service, 'status'), 'loadBalancer'), 'ingress')) {
    if (ingress.ip !== undefined) fill(ingress, { ipMode: 'VIP' });
  }
}

/** True for balancers that send traffic only to nodes with pods, which have to be asked whether they have any. */
export function needsHealthPort(spec: JsonObject): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}

/** True for types that are reached from outside the cluster. */
export function isExternal(spec: JsonObject): boolean {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer';
}
