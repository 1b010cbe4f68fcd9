import { arrayAt, getAt, type JsonValue, stringAt } from '@/lib/json/json';
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
  'apiextensions.k8s.io/customresourcedefinitions': printer(
    [nameColumn, { ...column('Created At', 'date') }],
    (object) => [nameOfObject(object), object.metadata.creationTimestamp ?? null],
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

function isDefault(object: KubeObject): boolean {
  return object.metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true';
}
