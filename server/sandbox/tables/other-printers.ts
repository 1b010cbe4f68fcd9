import { arrayAt, getAt, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { age, count, intOrString, nameOfObject, selectorText, textOr } from './cells';
import { ageColumn, column, nameColumn, type Printer, printer, wide } from './column';

const bindingColumns = [nameColumn, column('Role'), ageColumn, wide('Users'), wide('Groups'), wide('ServiceAccounts')];
const bindingPrinter = printer(bindingColumns, bindingCells);

/** The kinds of the other groups as kubectl shows them, by `group/resource`. */
export const otherPrinters: { readonly [resource: string]: Printer } = {
  'networking.k8s.io/networkpolicies': printer([nameColumn, column('Pod-Selector'), ageColumn], (object, nowMs) => [
    nameOfObject(object),
    selectorText(getAt(object, 'spec', 'podSelector')),
    age(object, nowMs),
  ]),
  'networking.k8s.io/ingresses': printer(
    [nameColumn, column('Class'), column('Hosts'), column('Address'), column('Ports'), ageColumn],
    (object, nowMs) => [
      nameOfObject(object),
      ingressClass(object),
      hosts(object),
      arrayAt(object, 'status', 'loadBalancer', 'ingress')
        .map((each) => stringAt(each, 'ip') ?? stringAt(each, 'hostname') ?? '')
        .join(','),
      arrayAt(object, 'spec', 'tls').length > 0 ? '80, 443' : '80',
      age(object, nowMs),
    ],
  ),
  'networking.k8s.io/ingressclasses': printer(
    [nameColumn, column('Controller'), column('Parameters'), ageColumn],
    (object, nowMs) => [
      nameOfObject(object),
      stringAt(object, 'spec', 'controller') ?? '',
      parametersText(object),
      age(object, nowMs),
    ],
  ),
  'policy/poddisruptionbudgets': printer(
    [
      nameColumn,
      column('Min Available'),
      column('Max Unavailable'),
      column('Allowed Disruptions', 'integer'),
      ageColumn,
    ],
    (object, nowMs) => [
      nameOfObject(object),
      intOrString(getAt(object, 'spec', 'minAvailable'), 'N/A'),
      intOrString(getAt(object, 'spec', 'maxUnavailable'), 'N/A'),
      count(object, 'status', 'disruptionsAllowed'),
      age(object, nowMs),
    ],
  ),
  'coordination.k8s.io/leases': printer([nameColumn, column('Holder'), ageColumn], (object, nowMs) => [
    nameOfObject(object),
    stringAt(object, 'spec', 'holderIdentity') ?? '',
    age(object, nowMs),
  ]),
  'rbac.authorization.k8s.io/rolebindings': bindingPrinter,
  'rbac.authorization.k8s.io/clusterrolebindings': bindingPrinter,
  'storage.k8s.io/storageclasses': printer(
    [
      nameColumn,
      column('Provisioner'),
      column('ReclaimPolicy'),
      column('VolumeBindingMode'),
      column('AllowVolumeExpansion'),
      ageColumn,
    ],
    (object, nowMs) => [
      isDefault(object) ? `${nameOfObject(object)} (default)` : nameOfObject(object),
      stringAt(object, 'provisioner') ?? '',
      textOr(object, 'Delete', 'reclaimPolicy'),
      textOr(object, '<unset>', 'volumeBindingMode'),
      getAt(object, 'allowVolumeExpansion') === true,
      age(object, nowMs),
    ],
  ),
  'scheduling.k8s.io/priorityclasses': printer(
    [
      nameColumn,
      column('Value', 'integer'),
      column('Global-Default', 'boolean'),
      ageColumn,
      column('PreemptionPolicy'),
    ],
    (object, nowMs) => [
      nameOfObject(object),
      count(object, 'value'),
      getAt(object, 'globalDefault') === true,
      age(object, nowMs),
      stringAt(object, 'preemptionPolicy') ?? '',
    ],
  ),
  'autoscaling/horizontalpodautoscalers': printer(
    [
      nameColumn,
      column('Reference'),
      column('Targets'),
      column('MinPods'),
      column('MaxPods'),
      column('Replicas'),
      ageColumn,
    ],
    (object, nowMs) => [
      nameOfObject(object),
      `${stringAt(object, 'spec', 'scaleTargetRef', 'kind') ?? ''}/${stringAt(object, 'spec', 'scaleTargetRef', 'name') ?? ''}`,
      targets(object),
      intOrString(getAt(object, 'spec', 'minReplicas'), '<unset>'),
      count(object, 'spec', 'maxReplicas'),
      count(object, 'status', 'currentReplicas'),
      age(object, nowMs),
    ],
  ),
  'apiextensions.k8s.io/customresourcedefinitions': printer(
    [nameColumn, { ...column('Created At', 'date') }],
    (object) => [nameOfObject(object), object.metadata.creationTimestamp ?? null],
  ),
  'discovery.k8s.io/endpointslices': printer(
    [nameColumn, column('AddressType'), column('Ports'), column('Endpoints'), ageColumn],
    (object, nowMs) => [
      nameOfObject(object),
      stringAt(object, 'addressType') ?? '',
      listText(
        arrayAt(object, 'ports').map((port) => intOrString(getAt(port, 'port'), '*')),
        '<unset>',
      ),
      listText(
        arrayAt(object, 'endpoints').flatMap((each) => arrayAt(each, 'addresses').map(String)),
        '<unset>',
      ),
      age(object, nowMs),
    ],
  ),
};

function bindingCells(object: KubeObject, nowMs: number): JsonValue[] {
  const subjects = arrayAt(object, 'subjects');
  const names = (kind: string): string =>
    subjects
      .filter((subject) => stringAt(subject, 'kind') === kind)
      .map((subject) => {
        const name = stringAt(subject, 'name') ?? '';
        return kind === 'ServiceAccount' ? `${stringAt(subject, 'namespace') ?? ''}/${name}` : name;
      })
      .join(', ');
  return [
    nameOfObject(object),
    `${stringAt(object, 'roleRef', 'kind') ?? ''}/${stringAt(object, 'roleRef', 'name') ?? ''}`,
    age(object, nowMs),
    names('User'),
    names('Group'),
    names('ServiceAccount'),
  ];
}

function ingressClass(object: KubeObject): string {
  const annotation = object.metadata.annotations?.['kubernetes.io/ingress.class'];
  return annotation ?? textOr(object, '<none>', 'spec', 'ingressClassName');
}

const SHOWN_HOSTS = 3;

function hosts(object: KubeObject): string {
  const names = arrayAt(object, 'spec', 'rules')
    .map((rule) => stringAt(rule, 'host') ?? '')
    .filter((host) => host !== '');
  if (names.length === 0) return '*';
  const more = names.length - SHOWN_HOSTS;
  return names.slice(0, SHOWN_HOSTS).join(',') + (more > 0 ? ` + ${more} more...` : '');
}

function parametersText(object: KubeObject): string {
  const parameters = objectAt(object, 'spec', 'parameters');
  if (parameters.kind === undefined) return '<none>';
  const group = stringAt(parameters, 'apiGroup');
  return `${String(parameters.kind)}${group === undefined ? '' : `.${group}`}/${String(parameters.name)}`;
}

function isDefault(object: KubeObject): boolean {
  return object.metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true';
}

function targets(object: KubeObject): string {
  const wanted = count(object, 'spec', 'targetCPUUtilizationPercentage');
  if (wanted > 0) {
    return `cpu: ${intOrString(getAt(object, 'status', 'currentCPUUtilizationPercentage'), '<unknown>')}%/${wanted}%`.replace(
      '>%',
      '>',
    );
  }
  const metrics = arrayAt(object, 'spec', 'metrics').map((metric, index) => {
    const name = stringAt(metric, 'resource', 'name') ?? stringAt(metric, 'type') ?? '';
    const target = getAt(metric, 'resource', 'target', 'averageUtilization');
    const current = getAt(object, 'status', 'currentMetrics', index, 'resource', 'current', 'averageUtilization');
    const shown = current === undefined ? '<unknown>' : `${String(current)}%`;
    return target === undefined
      ? `${shown}/${textOr(metric, '<auto>', 'resource', 'target', 'averageValue')}`
      : `${name}: ${shown}/${String(target)}%`;
  });
  return metrics.length === 0 ? '<none>' : metrics.join(', ');
}

const SHOWN = 3;

function listText(values: readonly string[], otherwise: string): string {
  if (values.length === 0) return otherwise;
  const more = values.length - SHOWN;
  return values.slice(0, SHOWN).join(',') + (more > 0 ? ` + ${more} more...` : '');
}
