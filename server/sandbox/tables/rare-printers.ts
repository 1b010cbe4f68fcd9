import { arrayAt, getAt, isJsonObject, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { age, containers, labelsText, nameOfObject, textOr } from './cells';
import { ageColumn, column, nameColumn, type Printer, printer } from './column';
import { humanDuration } from './human-duration';

const webhooks = printer([nameColumn, column('Webhooks', 'integer'), ageColumn], (object, nowMs) => [
  nameOfObject(object),
  arrayAt(object, 'webhooks').length,
  age(object, nowMs),
]);

/** Kinds that people seldom list, as kubectl shows them, by `group/resource`. */
export const rarePrinters: { readonly [resource: string]: Printer } = {
  '/podtemplates': printer([nameColumn, column('Containers'), column('Images'), column('Pod Labels')], (object) => [
    nameOfObject(object),
    ...containers(object, 'template', 'spec'),
    labelsText(getAt(object, 'template', 'metadata', 'labels')),
  ]),
  'admissionregistration.k8s.io/validatingwebhookconfigurations': webhooks,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': webhooks,
  'admissionregistration.k8s.io/validatingadmissionpolicies': printer(
    [nameColumn, column('Validations', 'integer'), column('ParamKind'), ageColumn],
    (object, nowMs) => [
      nameOfObject(object),
      arrayAt(object, 'spec', 'validations').length,
      joined(
        ['apiVersion', 'kind'].flatMap((key) => stringAt(object, 'spec', 'paramKind', key) ?? []),
        '<unset>',
        '/',
      ),
      age(object, nowMs),
    ],
  ),
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': printer(
    [nameColumn, column('PolicyName'), column('ParamRef'), ageColumn],
    (object, nowMs) => [
      nameOfObject(object),
      stringAt(object, 'spec', 'policyName') ?? '',
      joined(
        ['namespace', 'name'].flatMap((key) => stringAt(object, 'spec', 'paramRef', key) ?? []),
        '<unset>',
        '/',
      ),
      age(object, nowMs),
    ],
  ),
  'node.k8s.io/runtimeclasses': printer([nameColumn, column('Handler'), ageColumn], (object, nowMs) => [
    nameOfObject(object),
    stringAt(object, 'handler') ?? '',
    age(object, nowMs),
  ]),
  'storage.k8s.io/csidrivers': printer(
    [
      nameColumn,
      column('AttachRequired', 'boolean'),
      column('PodInfoOnMount', 'boolean'),
      column('StorageCapacity', 'boolean'),
      column('TokenRequests'),
      column('RequiresRepublish', 'boolean'),
      column('Modes'),
      ageColumn,
    ],
    (object, nowMs) => [
      nameOfObject(object),
      getAt(object, 'spec', 'attachRequired') !== false,
      getAt(object, 'spec', 'podInfoOnMount') === true,
      getAt(object, 'spec', 'storageCapacity') === true,
      joined(
        arrayAt(object, 'spec', 'tokenRequests').map((each) => stringAt(each, 'audience') ?? ''),
        '<unset>',
      ),
      getAt(object, 'spec', 'requiresRepublish') === true,
      joined(arrayAt(object, 'spec', 'volumeLifecycleModes').map(String), '<none>'),
      age(object, nowMs),
    ],
  ),
  'storage.k8s.io/csinodes': printer([nameColumn, column('Drivers', 'integer'), ageColumn], (object, nowMs) => [
    nameOfObject(object),
    arrayAt(object, 'spec', 'drivers').length,
    age(object, nowMs),
  ]),
  'storage.k8s.io/volumeattachments': printer(
    [
      nameColumn,
      { ...column('Attacher'), format: 'name' },
      column('PV'),
      column('Node'),
      column('Attached', 'boolean'),
      ageColumn,
    ],
    (object, nowMs) => [
      nameOfObject(object),
      stringAt(object, 'spec', 'attacher') ?? '',
      stringAt(object, 'spec', 'source', 'persistentVolumeName') ?? '',
      stringAt(object, 'spec', 'nodeName') ?? '',
      getAt(object, 'status', 'attached') === true,
      age(object, nowMs),
    ],
  ),
  'certificates.k8s.io/certificatesigningrequests': printer(
    [
      nameColumn,
      ageColumn,
      column('SignerName'),
      column('Requestor'),
      column('RequestedDuration'),
      column('Condition'),
    ],
    (object, nowMs) => [
      nameOfObject(object),
      age(object, nowMs),
      textOr(object, '<none>', 'spec', 'signerName'),
      stringAt(object, 'spec', 'username') ?? '',
      requestedDuration(object),
      approval(object),
    ],
  ),
  'apiregistration.k8s.io/apiservices': printer(
    [nameColumn, column('Service'), column('Available'), ageColumn],
    (object, nowMs) => [nameOfObject(object), serviceText(object), availability(object), age(object, nowMs)],
  ),
};

function joined(values: readonly string[], otherwise: string, separator = ','): string {
  return values.length === 0 ? otherwise : values.join(separator);
}

function requestedDuration(request: KubeObject): string {
  const seconds = getAt(request, 'spec', 'expirationSeconds');
  return typeof seconds === 'number' ? humanDuration(seconds * 1000) : '<none>';
}

/** Approved or denied, and whether a certificate was issued or failed. */
function approval(request: KubeObject): string {
  const types = arrayAt(request, 'status', 'conditions').map((each) => stringAt(each, 'type') ?? '');
  const decided = types.includes('Denied') ? 'Denied' : types.includes('Approved') ? 'Approved' : 'Pending';
  const words = [decided];
  if (types.includes('Failed')) words.push('Failed');
  if ((stringAt(request, 'status', 'certificate') ?? '') !== '') words.push('Issued');
  return words.join(',');
}

function serviceText(object: KubeObject): string {
  const service = getAt(object, 'spec', 'service');
  return isJsonObject(service) ? `${String(service.namespace)}/${String(service.name)}` : 'Local';
}

function availability(object: KubeObject): string {
  const condition = arrayAt(object, 'status', 'conditions').find((each) => stringAt(each, 'type') === 'Available');
  const status = stringAt(condition, 'status');
  if (status === undefined) return 'Unknown';
  return status === 'True' ? 'True' : `${status} (${stringAt(condition, 'reason') ?? ''})`;
}
