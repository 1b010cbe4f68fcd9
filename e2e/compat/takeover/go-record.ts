import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '@/lib/json/json';

/**
 * The text that KUDO's Go types write into `kudo.dev/last-applied-configuration` for an object: zero values of members
 * without an effective `omitempty`, a newline at the end, kind first. Taken from annotations that KUDO 0.19 (client-go 0.19) wrote.
 */
export function goRecord(object: JsonObject): string {
  const kind = String(object.kind);
  const copy = structuredClone(object);
  const metadata = { ...objectAt(copy, 'metadata'), creationTimestamp: null };
  const result: JsonObject = { ...copy, metadata, ...zeroStatus(kind) };
  if (isJsonObject(result.spec)) result.spec = zeroSpec(kind, result.spec);
  return `${JSON.stringify(result)}\n`;
}

const WITH_STATUS: { readonly [kind: string]: JsonObject } = {
  Deployment: {},
  StatefulSet: { replicas: 0 },
  DaemonSet: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  Job: {},
  CronJob: {},
  Pod: {},
  Namespace: {},
  PersistentVolumeClaim: {},
  Service: { loadBalancer: {} },
  Ingress: { loadBalancer: {} },
  PodDisruptionBudget: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  HorizontalPodAutoscaler: { currentReplicas: 0, desiredReplicas: 0, conditions: null },
  CustomResourceDefinition: {
    conditions: [],
    acceptedNames: { plural: '', kind: '' },
    storedVersions: [],
  },
};

function zeroStatus(kind: string): JsonObject {
  const status = WITH_STATUS[kind];
  return status === undefined ? {} : { status };
}

function zeroSpec(kind: string, spec: JsonObject): JsonObject {
  switch (kind) {
    case 'Deployment':
      return { strategy: {}, ...withTemplate(spec) };
    case 'StatefulSet':
      return { serviceName: '', updateStrategy: {}, ...withTemplate(spec), ...claims(spec) };
    case 'DaemonSet':
      return { updateStrategy: {}, ...withTemplate(spec) };
    case 'Job':
      return withTemplate(spec);
    case 'CronJob':
      return { ...spec, jobTemplate: jobTemplate(objectAt(spec, 'jobTemplate')) };
    case 'Pod':
      return zeroPod(spec);
    case 'PersistentVolumeClaim':
      return { resources: {}, ...spec };
    case 'Service':
      return Array.isArray(spec.ports) ? { ...spec, ports: spec.ports.map(zeroPort) } : spec;
    default:
      return spec;
  }
}

function zeroPort(port: JsonValue): JsonValue {
  return isJsonObject(port) ? { targetPort: 0, ...port } : port;
}

function jobTemplate(template: JsonObject): JsonObject {
  const metadata = { ...objectAt(template, 'metadata'), creationTimestamp: null };
  return { ...template, metadata, spec: withTemplate(objectAt(template, 'spec')) };
}

function claims(spec: JsonObject): JsonObject {
  const list = spec.volumeClaimTemplates;
  if (!Array.isArray(list)) return {};
  const zero = (claim: JsonValue): JsonValue =>
    isJsonObject(claim)
      ? {
          ...claim,
          metadata: { ...objectAt(claim, 'metadata'), creationTimestamp: null },
          spec: { resources: {}, ...objectAt(claim, 'spec') },
          status: {},
        }
      : claim;
  return { volumeClaimTemplates: list.map(zero) };
}

function withTemplate(spec: JsonObject): JsonObject {
  const template = objectAt(spec, 'template');
  const metadata = { ...objectAt(template, 'metadata'), creationTimestamp: null };
  return { ...spec, template: { ...template, metadata, spec: zeroPod(objectAt(template, 'spec')) } };
}

function zeroPod(spec: JsonObject): JsonObject {
  const result: JsonObject = { containers: null, ...spec };
  for (const list of ['containers', 'initContainers']) {
    const containers = result[list];
    if (!Array.isArray(containers)) continue;
    result[list] = containers.map((one) => (isJsonObject(one) ? { resources: {}, ...one } : one));
  }
  return result;
}
