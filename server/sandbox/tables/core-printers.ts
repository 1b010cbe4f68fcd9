import { arrayAt, getAt, isJsonObject, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { accessModes, age, count, labelsText, nameOfObject, since, textOr } from './cells';
import { ageColumn, column, nameColumn, type Printer, printer, wide } from './column';
import { podPrinter } from './pod-printer';

const CONFIG_DATA =
  "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys in the BinaryData field, this is enforced during validation process.";

/** The core kinds as kubectl shows them, by `group/resource`. */
export const corePrinters: { readonly [resource: string]: Printer } = {
  '/pods': podPrinter,
  '/namespaces': printer([nameColumn, column('Status'), ageColumn], (object, nowMs) => [
    nameOfObject(object),
    stringAt(object, 'status', 'phase') ?? '',
    age(object, nowMs),
  ]),
  '/configmaps': printer([nameColumn, { ...column('Data'), description: CONFIG_DATA }, ageColumn], (object, nowMs) => [
    nameOfObject(object),
    keys(object, 'data') + keys(object, 'binaryData'),
    age(object, nowMs),
  ]),
  '/secrets': printer([nameColumn, column('Type'), column('Data'), ageColumn], (object, nowMs) => [
    nameOfObject(object),
    stringAt(object, 'type') ?? '',
    keys(object, 'data'),
    age(object, nowMs),
  ]),
  '/serviceaccounts': printer([nameColumn, column('Secrets'), ageColumn], (object, nowMs) => [
    nameOfObject(object),
    arrayAt(object, 'secrets').length,
    age(object, nowMs),
  ]),
  '/services': printer(
    [
      nameColumn,
      column('Type'),
      column('Cluster-IP'),
      column('External-IP'),
      column('Port(s)'),
      ageColumn,
      wide('Selector'),
    ],
    (object, nowMs) => [
      nameOfObject(object),
      stringAt(object, 'spec', 'type') ?? '',
      textOr(object, '<none>', 'spec', 'clusterIP'),
      externalAddress(object),
      ports(object),
      age(object, nowMs),
      labelsText(getAt(object, 'spec', 'selector')),
    ],
  ),
  '/endpoints': printer([nameColumn, column('Endpoints'), ageColumn], (object, nowMs) => [
    nameOfObject(object),
    endpoints(object),
    age(object, nowMs),
  ]),
  '/nodes': printer(
    [
      nameColumn,
      column('Status'),
      column('Roles'),
      ageColumn,
      column('Version'),
      wide('Internal-IP'),
      wide('External-IP'),
      wide('OS-Image'),
      wide('Kernel-Version'),
      wide('Container-Runtime'),
    ],
    (object, nowMs) => [
      nameOfObject(object),
      nodeStatus(object),
      nodeRoles(object),
      age(object, nowMs),
      stringAt(object, 'status', 'nodeInfo', 'kubeletVersion') ?? '',
      address(object, 'InternalIP'),
      address(object, 'ExternalIP'),
      textOr(object, '<unknown>', 'status', 'nodeInfo', 'osImage'),
      textOr(object, '<unknown>', 'status', 'nodeInfo', 'kernelVersion'),
      textOr(object, '<unknown>', 'status', 'nodeInfo', 'containerRuntimeVersion'),
    ],
  ),
  '/events': printer(
    [
      column('Last Seen'),
      column('Type'),
      column('Reason'),
      column('Object'),
      wide('Subobject'),
      wide('Source'),
      column('Message'),
      wide('First Seen'),
      wide('Count'),
      { ...wide('Name'), format: 'name' },
    ],
    eventCells,
  ),
  '/persistentvolumeclaims': printer(
    [
      nameColumn,
      column('Status'),
      column('Volume'),
      column('Capacity'),
      column('Access Modes'),
      column('StorageClass'),
      column('VolumeAttributesClass'),
      ageColumn,
      wide('VolumeMode'),
    ],
    claimCells,
  ),
  '/persistentvolumes': printer(
    [
      nameColumn,
      column('Capacity'),
      column('Access Modes'),
      column('Reclaim Policy'),
      column('Status'),
      column('Claim'),
      column('StorageClass'),
      column('VolumeAttributesClass'),
      column('Reason'),
      ageColumn,
      wide('VolumeMode'),
    ],
    volumeCells,
  ),
};

function keys(object: KubeObject, key: string): number {
  return Object.keys(objectAt(object, key)).length;
}

function ports(service: KubeObject): string {
  const texts = arrayAt(service, 'spec', 'ports').map((port) => {
    const nodePort = getAt(port, 'nodePort');
    const number = String(getAt(port, 'port'));
    const protocol = stringAt(port, 'protocol') ?? 'TCP';
    return typeof nodePort === 'number' && nodePort > 0 ? `${number}:${nodePort}/${protocol}` : `${number}/${protocol}`;
  });
  return texts.length === 0 ? '<none>' : texts.join(',');
}

function externalAddress(service: KubeObject): string {
  const type = stringAt(service, 'spec', 'type');
  const given = arrayAt(service, 'spec', 'externalIPs').map(String);
  if (type === 'ExternalName') return textOr(service, '<none>', 'spec', 'externalName');
  if (type === 'LoadBalancer') {
    const ingress = arrayAt(service, 'status', 'loadBalancer', 'ingress').map(
      (each) => stringAt(each, 'ip') ?? stringAt(each, 'hostname') ?? '',
    );
    const all = [...ingress.filter((each) => each !== ''), ...given];
    return all.length === 0 ? '<pending>' : all.join(',');
  }
  return given.length === 0 ? '<none>' : given.join(',');
}

const SHOWN_ENDPOINTS = 3;

function endpoints(object: KubeObject): string {
  const all = arrayAt(object, 'subsets').flatMap((subset) => {
    const addresses = arrayAt(subset, 'addresses').map((each) => stringAt(each, 'ip') ?? '');
    const numbers = arrayAt(subset, 'ports').map((port) => getAt(port, 'port'));
    if (numbers.length === 0) return addresses;
    return numbers.flatMap((number) => addresses.map((ip) => `${ip}:${String(number)}`));
  });
  if (all.length === 0) return '<none>';
  const more = all.length - SHOWN_ENDPOINTS;
  return all.slice(0, SHOWN_ENDPOINTS).join(',') + (more > 0 ? ` + ${more} more...` : '');
}

function nodeStatus(node: KubeObject): string {
  const ready = arrayAt(node, 'status', 'conditions').find((each) => stringAt(each, 'type') === 'Ready');
  const words = [ready === undefined ? 'Unknown' : stringAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady'];
  if (getAt(node, 'spec', 'unschedulable') === true) words.push('SchedulingDisabled');
  return words.join(',');
}

const ROLE_PREFIX = 'node-role.kubernetes.io/';

function nodeRoles(node: KubeObject): string {
  const labels = node.metadata.labels ?? {};
  const roles = Object.keys(labels)
    .filter((key) => key.startsWith(ROLE_PREFIX) && key.length > ROLE_PREFIX.length)
    .map((key) => key.slice(ROLE_PREFIX.length));
  const old = labels['kubernetes.io/role'];
  if (old !== undefined && old !== '') roles.push(old);
  return roles.length === 0 ? '<none>' : [...new Set(roles)].sort().join(',');
}

function address(node: KubeObject, type: string): string {
  const found = arrayAt(node, 'status', 'addresses').find((each) => stringAt(each, 'type') === type);
  return textOr(found, '<none>', 'address');
}

function eventCells(event: KubeObject, nowMs: number): JsonValue[] {
  const first = stringAt(event, 'firstTimestamp') ?? stringAt(event, 'eventTime');
  const last = stringAt(event, 'series', 'lastObservedTime') ?? stringAt(event, 'lastTimestamp') ?? first;
  const kind = (stringAt(event, 'involvedObject', 'kind') ?? '').toLowerCase();
  const name = stringAt(event, 'involvedObject', 'name') ?? '';
  const component = textOr(event, stringAt(event, 'reportingComponent') ?? '', 'source', 'component');
  const host = textOr(event, stringAt(event, 'reportingInstance') ?? '', 'source', 'host');
  return [
    since(last, nowMs),
    stringAt(event, 'type') ?? '',
    stringAt(event, 'reason') ?? '',
    name === '' ? kind : `${kind}/${name}`,
    stringAt(event, 'involvedObject', 'fieldPath') ?? '',
    host === '' ? component : `${component}, ${host}`,
    (stringAt(event, 'message') ?? '').trim(),
    since(first, nowMs),
    count(event, 'count') || count(event, 'series', 'count') || 1,
    nameOfObject(event),
  ];
}

function claimCells(claim: KubeObject, nowMs: number): JsonValue[] {
  const isBound = (stringAt(claim, 'spec', 'volumeName') ?? '') !== '';
  const deleting = claim.metadata.deletionTimestamp !== undefined;
  return [
    nameOfObject(claim),
    deleting ? 'Terminating' : (stringAt(claim, 'status', 'phase') ?? ''),
    stringAt(claim, 'spec', 'volumeName') ?? '',
    isBound ? (stringAt(claim, 'status', 'capacity', 'storage') ?? '') : '',
    isBound ? accessModes(arrayAt(claim, 'status', 'accessModes')) : '',
    storageClass(claim),
    textOr(claim, '<unset>', 'spec', 'volumeAttributesClassName'),
    age(claim, nowMs),
    textOr(claim, '<unset>', 'spec', 'volumeMode'),
  ];
}

function volumeCells(volume: KubeObject, nowMs: number): JsonValue[] {
  const claim = getAt(volume, 'spec', 'claimRef');
  const deleting = volume.metadata.deletionTimestamp !== undefined;
  return [
    nameOfObject(volume),
    stringAt(volume, 'spec', 'capacity', 'storage') ?? '',
    accessModes(arrayAt(volume, 'spec', 'accessModes')),
    stringAt(volume, 'spec', 'persistentVolumeReclaimPolicy') ?? '',
    deleting ? 'Terminating' : (stringAt(volume, 'status', 'phase') ?? ''),
    isJsonObject(claim) ? `${stringAt(claim, 'namespace') ?? ''}/${stringAt(claim, 'name') ?? ''}` : '',
    storageClass(volume),
    textOr(volume, '<unset>', 'spec', 'volumeAttributesClassName'),
    stringAt(volume, 'status', 'reason') ?? '',
    age(volume, nowMs),
    textOr(volume, '<unset>', 'spec', 'volumeMode'),
  ];
}

/** The class of a volume or claim; the old annotation goes before the field. */
function storageClass(object: KubeObject): string {
  return (
    object.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ??
    stringAt(object, 'spec', 'storageClassName') ??
    ''
  );
}
