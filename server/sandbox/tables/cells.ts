import { parseRfc3339 } from '@/lib/clock/rfc3339';
import { arrayAt, getAt, isJsonObject, type JsonValue, numberAt, objectAt, stringAt } from '@/lib/json/json';
import { conditionByType, hasCondition } from '@/lib/kube/conditions';
import { controllerOf, type KubeObject, parseApiVersion } from '@/lib/kube/object';
import { formatLabelSelector } from '../selectors/selector';
import type { Cell, ColumnSpec } from './column';
import { humanDuration } from './human-duration';

/** Names and images of the containers of a pod template. */
export function containers(path: readonly string[]): ColumnSpec[] {
  const joined = (key: string): Cell => {
    return (object) =>
      arrayAt(object, ...path, 'containers')
        .map(text(key))
        .join(',');
  };
  return [
    ['-Containers', joined('name')],
    ['-Images', joined('image')],
  ];
}

/** A label selector, or a map of labels, as `a=b,c=d`. */
export function labels(head: string, ...path: readonly string[]): ColumnSpec {
  return [
    head,
    (object) => {
      const found = objectAt(object, ...path);
      const isMap = Object.values(found).every((value) => typeof value === 'string');
      return formatLabelSelector(isMap ? { matchLabels: found } : found);
    },
  ];
}

export function keys(object: KubeObject, key: string): number {
  return Object.keys(objectAt(object, key)).length;
}

/** The texts that are not empty; of more than three, the first three and how many more there are. */
export function firstThree(texts: readonly string[], otherwise: string): string {
  const given = texts.filter((each) => each !== '');
  const more = given.length - 3;
  return given.slice(0, 3).join(',') + (more > 0 ? ` + ${more} more...` : '') || otherwise;
}

function text(key: string): (value: JsonValue) => string {
  return (value) => stringAt(value, key) ?? '';
}

/** The subjects of one kind of a binding. */
export function subjects(kind: string): Cell {
  const show =
    kind === 'ServiceAccount' ? (each: JsonValue) => `${text('namespace')(each)}/${text('name')(each)}` : text('name');
  return (binding) =>
    arrayAt(binding, 'subjects')
      .filter((each) => stringAt(each, 'kind') === kind)
      .map(show)
      .join(', ');
}

export function portText(port: JsonValue): string {
  const nodePort = numberAt(port, 'nodePort') ?? 0;
  return `${getAt(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}/${stringAt(port, 'protocol') ?? 'TCP'}`;
}

export function balancers(object: KubeObject): string[] {
  return arrayAt(object, 'status', 'loadBalancer', 'ingress').map((each) => text('ip')(each) || text('hostname')(each));
}

export function externalAddress(service: KubeObject): string {
  const type = stringAt(service, 'spec', 'type');
  if (type === 'ExternalName') return stringAt(service, 'spec', 'externalName') ?? '<none>';
  const given = arrayAt(service, 'spec', 'externalIPs').map(String);
  if (type !== 'LoadBalancer') return given.join(',') || '<none>';
  return [...balancers(service), ...given].filter((each) => each !== '').join(',') || '<pending>';
}

/** The addresses of one subset of Endpoints, for each of its ports. */
export function addresses(subset: JsonValue): string[] {
  const ips = arrayAt(subset, 'addresses').map(text('ip'));
  const ports = arrayAt(subset, 'ports');
  return ports.length === 0 ? ips : ports.flatMap((port) => ips.map((ip) => `${ip}:${getAt(port, 'port')}`));
}

export function nodeStatus(node: KubeObject): string {
  const isReady = hasCondition(node, 'Ready') ? 'Ready' : 'NotReady';
  const word = conditionByType(node, 'Ready') === undefined ? 'Unknown' : isReady;
  return getAt(node, 'spec', 'unschedulable') === true ? `${word},SchedulingDisabled` : word;
}

const ROLE_PREFIX = 'node-role.kubernetes.io/';

export function nodeRoles(node: KubeObject): string {
  const roles = Object.keys(node.metadata.labels ?? {}).filter((key) => key.startsWith(ROLE_PREFIX));
  return (
    roles
      .map((key) => key.slice(ROLE_PREFIX.length))
      .sort()
      .join(',') || '<none>'
  );
}

export function nodeAddress(type: string): Cell {
  return (node) => {
    const found = arrayAt(node, 'status', 'addresses').find((each) => stringAt(each, 'type') === type);
    return stringAt(found, 'address') ?? '<none>';
  };
}

export function firstSeen(event: KubeObject): string | undefined {
  return stringAt(event, 'firstTimestamp') ?? stringAt(event, 'eventTime');
}

export function lastSeen(event: KubeObject): string | undefined {
  return stringAt(event, 'series', 'lastObservedTime') ?? stringAt(event, 'lastTimestamp') ?? firstSeen(event);
}

/** The object of an event as `kind/name`. */
export function involved(event: KubeObject): string {
  const { kind, name } = objectAt(event, 'involvedObject');
  return [String(kind ?? '').toLowerCase(), ...(name === undefined || name === '' ? [] : [name])].join('/');
}

export function source(event: KubeObject): string {
  const component = stringAt(event, 'source', 'component') || stringAt(event, 'reportingComponent') || '';
  const host = stringAt(event, 'source', 'host') || stringAt(event, 'reportingInstance') || '';
  return host === '' ? component : `${component}, ${host}`;
}

export function volumePhase(object: KubeObject): string {
  return object.metadata.deletionTimestamp === undefined ? (stringAt(object, 'status', 'phase') ?? '') : 'Terminating';
}

export function isBound(claim: KubeObject): boolean {
  return (stringAt(claim, 'spec', 'volumeName') ?? '') !== '';
}

const ACCESS = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

/** `RWO,ROX` in Kubernetes' order. */
export function accessModes(modes: readonly JsonValue[]): string {
  return ACCESS.filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

/** The class of a volume or claim; the old annotation goes before the field. */
export function storageClass({ metadata, spec }: KubeObject): string {
  return metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? stringAt(spec, 'storageClassName') ?? '';
}

export function claimOf(volume: KubeObject): string {
  const claim = getAt(volume, 'spec', 'claimRef');
  return isJsonObject(claim) ? `${text('namespace')(claim)}/${text('name')(claim)}` : '';
}

export function className({ metadata }: KubeObject): string {
  const isDefault = metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true';
  return `${metadata.name}${isDefault ? ' (default)' : ''}`;
}

export function ingressClass({ metadata, spec }: KubeObject): string {
  return metadata.annotations?.['kubernetes.io/ingress.class'] ?? stringAt(spec, 'ingressClassName') ?? '<none>';
}

export function jobStatus(job: KubeObject): string {
  const ended = ['Complete', 'Failed'].find((type) => hasCondition(job, type));
  if (ended !== undefined) return ended;
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) => hasCondition(job, type)) ?? 'Running';
}

export function completions(job: KubeObject): string {
  const succeeded = numberAt(job, 'status', 'succeeded') ?? 0;
  const parallelism = numberAt(job, 'spec', 'parallelism') ?? 0;
  const wanted = numberAt(job, 'spec', 'completions') ?? (parallelism > 1 ? `1 of ${parallelism}` : 1);
  return `${succeeded}/${wanted}`;
}

export function jobDuration(job: KubeObject, nowMs: number): string {
  const start = parseRfc3339(stringAt(job, 'status', 'startTime') ?? '');
  const end = parseRfc3339(stringAt(job, 'status', 'completionTime') ?? '') ?? nowMs;
  return start === undefined ? '' : humanDuration(end - start);
}

/** The owner of a ControllerRevision as `kind.group/name`. */
export function revisionOwner(revision: KubeObject): string {
  const owner = controllerOf(revision);
  if (owner === undefined) return '<none>';
  const { group } = parseApiVersion(owner.apiVersion);
  return `${owner.kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${owner.name}`;
}

/** Who serves an APIService: its Service, or this server. */
export const apiServiceTarget: Cell = (object) => {
  const service = getAt(object, 'spec', 'service');
  return isJsonObject(service) ? `${stringAt(service, 'namespace')}/${stringAt(service, 'name')}` : 'Local';
};

/** Whether an APIService is available, and why not. */
export const apiServiceAvailability: Cell = (object) => {
  const available = conditionByType(object, 'Available');
  if (available === undefined) return 'Unknown';
  const hasReason = available.status !== 'True' && available.reason !== '';
  return hasReason ? `${available.status} (${available.reason})` : available.status;
};
