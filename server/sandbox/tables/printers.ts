import { arrayAt, getAt, stringAt } from '@/lib/json/json';
import { convertBuiltin } from '../registry/convert-builtin';
import * as cells from './cells';
import { AGE, type Cell, NAME, type Printer, printer } from './column';
import { since } from './human-duration';
import { podPrinter } from './pod-printer';

const CONFIG_DATA =
  "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys in the BinaryData field, this is enforced during validation process.";
const TEMPLATE = ['spec', 'template', 'spec'];
const JOB_TEMPLATE = ['spec', 'jobTemplate', ...TEMPLATE];
const ready: Cell = (o) => `${getAt(o, 'status', 'readyReplicas') ?? 0}/${getAt(o, 'spec', 'replicas') ?? 0}`;

const bindings = printer(
  NAME,
  ['Role', (o) => `${stringAt(o, 'roleRef', 'kind') ?? ''}/${stringAt(o, 'roleRef', 'name') ?? ''}`],
  AGE,
  ['-Users', cells.subjects('User')],
  ['-Groups', cells.subjects('Group')],
  ['-ServiceAccounts', cells.subjects('ServiceAccount')],
);

const events = printer(
  ['Last Seen', (o, now) => since(cells.lastSeen(o), now)],
  'Type=type',
  'Reason=reason',
  ['Object', cells.involved],
  '-Subobject=involvedObject.fieldPath',
  ['-Source', cells.source],
  ['Message', (o) => (stringAt(o, 'message') ?? '').trim()],
  ['-First Seen', (o, now) => since(cells.firstSeen(o), now)],
  ['-Count', (o) => getAt(o, 'count') || getAt(o, 'series', 'count') || 1],
  ['-Name', (o) => o.metadata.name ?? ''],
);

/** Built-in kinds as kubectl shows them (Kubernetes printers/internalversion), by `group/resource`. */
export const printers: { readonly [resource: string]: Printer } = {
  '/pods': podPrinter,
  '/namespaces': printer(NAME, 'Status=status.phase', AGE),
  '/configmaps': printer(NAME, ['Data', (o) => cells.keys(o, 'data') + cells.keys(o, 'binaryData'), CONFIG_DATA], AGE),
  '/secrets': printer(NAME, 'Type=type', ['Data', (o) => cells.keys(o, 'data')], AGE),
  '/serviceaccounts': printer(NAME, ['Secrets', (o) => arrayAt(o, 'secrets').length], AGE),
  '/services': printer(
    NAME,
    'Type=spec.type',
    'Cluster-IP=spec.clusterIP|<none>',
    ['External-IP', cells.externalAddress],
    ['Port(s)', (o) => arrayAt(o, 'spec', 'ports').map(cells.portText).join(',') || '<none>'],
    AGE,
    cells.labels('-Selector', 'spec', 'selector'),
  ),
  '/endpoints': printer(
    NAME,
    ['Endpoints', (o) => cells.firstThree(arrayAt(o, 'subsets').flatMap(cells.addresses), '<none>')],
    AGE,
  ),
  '/nodes': printer(
    NAME,
    ['Status', cells.nodeStatus],
    ['Roles', cells.nodeRoles],
    AGE,
    'Version=status.nodeInfo.kubeletVersion',
    ['-Internal-IP', cells.nodeAddress('InternalIP')],
    ['-External-IP', cells.nodeAddress('ExternalIP')],
    '-OS-Image=status.nodeInfo.osImage|<unknown>',
    '-Kernel-Version=status.nodeInfo.kernelVersion|<unknown>',
    '-Container-Runtime=status.nodeInfo.containerRuntimeVersion|<unknown>',
  ),
  '/events': events,
  'events.k8s.io/events': { ...events, row: (object, nowMs) => events.row(convertBuiltin(object, 'v1'), nowMs) },
  '/persistentvolumeclaims': printer(
    NAME,
    ['Status', cells.volumePhase],
    'Volume=spec.volumeName',
    ['Capacity', (o) => (cells.isBound(o) ? (stringAt(o, 'status', 'capacity', 'storage') ?? '') : '')],
    ['Access Modes', (o) => (cells.isBound(o) ? cells.accessModes(arrayAt(o, 'status', 'accessModes')) : '')],
    ['StorageClass', cells.storageClass],
    'VolumeAttributesClass=spec.volumeAttributesClassName|<unset>',
    AGE,
    '-VolumeMode=spec.volumeMode|<unset>',
  ),
  '/persistentvolumes': printer(
    NAME,
    'Capacity=spec.capacity.storage',
    ['Access Modes', (o) => cells.accessModes(arrayAt(o, 'spec', 'accessModes'))],
    'Reclaim Policy=spec.persistentVolumeReclaimPolicy',
    ['Status', cells.volumePhase],
    ['Claim', cells.claimOf],
    ['StorageClass', cells.storageClass],
    'VolumeAttributesClass=spec.volumeAttributesClassName|<unset>',
    'Reason=status.reason',
    AGE,
    '-VolumeMode=spec.volumeMode|<unset>',
  ),
  'apps/deployments': printer(
    NAME,
    ['Ready', ready],
    'Up-to-date=status.updatedReplicas|0',
    'Available=status.availableReplicas|0',
    AGE,
    ...cells.containers(TEMPLATE),
    cells.labels('-Selector', 'spec', 'selector'),
  ),
  'apps/replicasets': printer(
    NAME,
    'Desired:integer=spec.replicas|0',
    'Current:integer=status.replicas|0',
    'Ready:integer=status.readyReplicas|0',
    AGE,
    ...cells.containers(TEMPLATE),
    cells.labels('-Selector', 'spec', 'selector'),
  ),
  'apps/statefulsets': printer(NAME, ['Ready', ready], AGE, ...cells.containers(TEMPLATE)),
  'apps/daemonsets': printer(
    NAME,
    'Desired:integer=status.desiredNumberScheduled|0',
    'Current:integer=status.currentNumberScheduled|0',
    'Ready:integer=status.numberReady|0',
    'Up-to-date:integer=status.updatedNumberScheduled|0',
    'Available:integer=status.numberAvailable|0',
    cells.labels('Node Selector', ...TEMPLATE, 'nodeSelector'),
    AGE,
    ...cells.containers(TEMPLATE),
    cells.labels('-Selector', 'spec', 'selector'),
  ),
  'apps/controllerrevisions': printer(NAME, ['Controller', cells.revisionOwner], 'Revision=revision|0', AGE),
  'batch/jobs': printer(
    NAME,
    ['Status', cells.jobStatus],
    ['Completions', cells.completions],
    ['Duration', cells.jobDuration],
    AGE,
    ...cells.containers(TEMPLATE),
    cells.labels('-Selector', 'spec', 'selector'),
  ),
  'batch/cronjobs': printer(
    NAME,
    'Schedule=spec.schedule',
    'Timezone=spec.timeZone|<none>',
    ['Suspend:boolean', (o) => (getAt(o, 'spec', 'suspend') === true ? 'True' : 'False')],
    ['Active:integer', (o) => arrayAt(o, 'status', 'active').length],
    ['Last Schedule', (o, now) => since(stringAt(o, 'status', 'lastScheduleTime'), now).replace('<unknown>', '<none>')],
    AGE,
    ...cells.containers(JOB_TEMPLATE),
    cells.labels('-Selector', 'spec', 'jobTemplate', 'spec', 'selector'),
  ),
  'networking.k8s.io/networkpolicies': printer(NAME, cells.labels('Pod-Selector', 'spec', 'podSelector'), AGE),
  'networking.k8s.io/ingresses': printer(
    NAME,
    ['Class', cells.ingressClass],
    [
      'Hosts',
      (o) =>
        cells.firstThree(
          arrayAt(o, 'spec', 'rules').map((rule) => stringAt(rule, 'host') ?? ''),
          '*',
        ),
    ],
    ['Address', (o) => cells.balancers(o).join(',')],
    ['Ports', (o) => (arrayAt(o, 'spec', 'tls').length > 0 ? '80, 443' : '80')],
    AGE,
  ),
  'policy/poddisruptionbudgets': printer(
    NAME,
    ['Min Available', (o) => String(getAt(o, 'spec', 'minAvailable') ?? 'N/A')],
    ['Max Unavailable', (o) => String(getAt(o, 'spec', 'maxUnavailable') ?? 'N/A')],
    'Allowed Disruptions:integer=status.disruptionsAllowed|0',
    AGE,
  ),
  'apiregistration.k8s.io/apiservices': printer(
    NAME,
    ['Service', cells.apiServiceTarget],
    ['Available', cells.apiServiceAvailability],
    AGE,
  ),
  'coordination.k8s.io/leases': printer(NAME, 'Holder=spec.holderIdentity', AGE),
  'rbac.authorization.k8s.io/rolebindings': bindings,
  'rbac.authorization.k8s.io/clusterrolebindings': bindings,
  'storage.k8s.io/storageclasses': printer(
    ['Name', cells.className],
    'Provisioner=provisioner',
    'ReclaimPolicy=reclaimPolicy|Delete',
    'VolumeBindingMode=volumeBindingMode|<unset>',
    'AllowVolumeExpansion=allowVolumeExpansion|false',
    AGE,
  ),
};
