import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { ensureObject, fill, numberOf, objectOf, objectsOf, textOf, textsOf } from '../base/access';
import type { KindRules } from '../base/kind-rules';
import type { StrategyContext } from '../base/strategy';
import { freeAddress, freeNodePort, isExternal, type UsedByServices, usedByServices } from './service-allocation';
import { validateService, validateServiceUpdate } from './validate-service';

/** Defaults of a Service (Kubernetes pkg/apis/core/v1 SetDefaults_Service). */
function defaultService(service: JsonObject): void {
  const spec = ensureObject(service, 'spec');
  fill(spec, { sessionAffinity: 'None', type: 'ClusterIP' });
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP') {
    fill(ensureObject(ensureObject(spec, 'sessionAffinityConfig'), 'clientIP'), { timeoutSeconds: 10_800 });
  }
  for (const port of objectsOf(spec, 'ports')) {
    fill(port, { protocol: 'TCP' });
    port.targetPort = port.targetPort || (port.port ?? 0);
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
function needsHealthPort(spec: JsonObject): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}

/** Gives a Service its addresses and node ports (Kubernetes pkg/registry/core/service/storage alloc). */
function allocate(service: JsonObject, context: StrategyContext): void {
  const spec = ensureObject(service, 'spec');
  if (spec.type === 'ExternalName') return;
  fill(spec, { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] });
  const used = usedByServices(context, service);
  const address = textOf(spec, 'clusterIP') || (textsOf(spec, 'clusterIPs')[0] ?? freeAddress(used));
  if (address !== undefined) {
    spec.clusterIP = address;
    fill(spec, { clusterIPs: [address] });
  }
  if (isExternal(spec)) allocatePorts(spec, used);
}

const nodePortsOf = (spec: JsonObject) =>
  new Set(objectsOf(spec, 'ports').flatMap((port) => numberOf(port, 'nodePort') ?? []));

/**
 * Node ports, and the one for health checks, for ports that lack one. The same port of two protocols has the same node
 * port; a port that is given is taken as it is, and judged by the validation.
 */
function allocatePorts(spec: JsonObject, used: UsedByServices): void {
  const ports = objectsOf(spec, 'ports');
  const taken = nodePortsOf(spec);
  const wanted = spec.type === 'NodePort' || spec.allocateLoadBalancerNodePorts !== false ? ports : [];
  for (const port of wanted) {
    const twin = ports.find((each) => each.port === port.port && numberOf(each, 'nodePort') !== undefined);
    const given = numberOf(port, 'nodePort') ?? numberOf(twin, 'nodePort') ?? freeNodePort(used, taken);
    if (given === undefined) continue;
    port.nodePort = given;
    taken.add(given);
  }
  const free = freeNodePort(used, taken);
  if (needsHealthPort(spec) && free !== undefined) fill(spec, { healthCheckNodePort: free });
}

/** Takes over what the old Service was given, and drops what the new type does not have. */
function carryOver(service: JsonObject, old: JsonObject): void {
  const spec = ensureObject(service, 'spec');
  const before = objectOf(old, 'spec') ?? {};
  if (spec.type === 'ExternalName' && before.type === 'ExternalName') return;
  carryAddresses(spec, before);
  if (isExternal(spec)) keepNodePorts(spec, before);
  else if (isExternal(before)) dropNodePorts(spec, before);
  if (!needsHealthPort(spec)) dropUnchanged(spec, before, 'healthCheckNodePort');
  if (spec.type !== 'LoadBalancer') dropUnchanged(spec, before, 'allocateLoadBalancerNodePorts', 'loadBalancerClass');
}

function carryAddresses(spec: JsonObject, before: JsonObject): void {
  const given = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'];
  if (spec.type === 'ExternalName') dropUnchanged(spec, before, ...given, 'internalTrafficPolicy');
  if (spec.type === 'ExternalName' || before.type === 'ExternalName') return;
  for (const key of given) {
    if (spec[key] === undefined && before[key] !== undefined) spec[key] = before[key];
  }
  if (spec.clusterIP !== before.clusterIP && jsonEqual(spec.clusterIPs, before.clusterIPs)) {
    spec.clusterIPs = spec.clusterIP === undefined ? [] : [spec.clusterIP];
  }
}

function dropNodePorts(spec: JsonObject, before: JsonObject): void {
  const old = nodePortsOf(before);
  for (const port of objectsOf(spec, 'ports')) if (old.has(numberOf(port, 'nodePort') ?? 0)) delete port.nodePort;
  dropUnchanged(spec, before, 'externalTrafficPolicy');
}

/** What the new type does not have goes, unless the client changes it at the same time. */
function dropUnchanged(spec: JsonObject, before: JsonObject, ...keys: readonly string[]): void {
  for (const key of keys) if (jsonEqual(spec[key], before[key])) delete spec[key];
}

/** Ports are known by name, and a node port is never kept for two (Kubernetes service storage patchAllocatedValues). */
function keepNodePorts(spec: JsonObject, before: JsonObject): void {
  const given = nodePortsOf(spec);
  const byName = new Map(objectsOf(before, 'ports').map((port) => [textOf(port, 'name'), numberOf(port, 'nodePort')]));
  for (const port of objectsOf(spec, 'ports')) {
    const old = byName.get(textOf(port, 'name'));
    if (port.nodePort !== undefined || old === undefined || given.has(old)) continue;
    port.nodePort = old;
    given.add(old);
  }
  const health = numberOf(before, 'healthCheckNodePort');
  if (needsHealthPort(spec) && health !== undefined) fill(spec, { healthCheckNodePort: health });
}

export const serviceRules: KindRules = {
  defaults: defaultService,
  validate: validateService,
  validateUpdate: validateServiceUpdate,
  prepareCreate(service, context) {
    allocate(service, context);
    service.status = { loadBalancer: {} };
  },
  prepareUpdate(service, old, context) {
    if (context.subresource !== undefined) return;
    carryOver(service, old);
    allocate(service, context);
    // The balancer of a Service that is none any more goes later; its address is not shown any longer.
    if (objectOf(service, 'spec')?.type === 'LoadBalancer') return;
    ensureObject(service, 'status').loadBalancer = {};
  },
};
