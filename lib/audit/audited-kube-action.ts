import { arrayAt, isJsonObject, type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import { RESTARTED_AT } from '@/lib/kube/workloads/actions';
import { LOCK_ANNOTATION } from '@/lib/kudo/lock/instance-lock';
import type { AuditedAction, AuditedObject } from './audit-entry';

/** A request to the Kubernetes API; its path from `api` or `apis` on, each part decoded. */
export interface AuditedKubeRequest {
  readonly method: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly body: JsonValue | undefined;
  readonly accept: string;
}

const VERBS: { readonly [method: string]: readonly [verb: string, past: string] } = {
  POST: ['create', 'created'],
  PUT: ['update', 'updated'],
  PATCH: ['patch', 'changed'],
  DELETE: ['delete', 'deleted'],
};

/** What a request to the Kubernetes API does; undefined for reads of anything but Secrets, and for reviews, which only ask. */
export function auditedKubeAction(request: AuditedKubeRequest): AuditedAction | undefined {
  const object = objectOf(request);
  if (object === undefined || object.resource.endsWith('reviews')) return undefined;
  const verb = VERBS[request.method];
  if (verb === undefined) return isReadOfValues(request, object) ? readOfSecrets(object) : undefined;
  const own = ownAction(request, object);
  if (own !== undefined) return { object, ...own };
  const what = object.subresource === '' ? object.resource : `${object.resource}/${object.subresource}`;
  return { verb: verb[0], object, summary: `${verb[1]} ${what}${changedParts(request)}` };
}

/** `api/v1/namespaces/NS/pods/NAME/log`, `apis/GROUP/VERSION/RESOURCE/NAME`. A POST has the name in its body. */
function objectOf({ method, path, body }: AuditedKubeRequest): AuditedObject | undefined {
  const isCore = path[0] === 'api';
  const rest = path.slice(isCore ? 2 : 3);
  // `namespaces/x/status` and `…/finalize` are the namespace itself.
  const isNamespaced = rest[0] === 'namespaces' && rest.length > 2 && !['status', 'finalize'].includes(rest[2] ?? '');
  const [resource = '', given = '', subresource = ''] = isNamespaced ? rest.slice(2) : rest;
  if (resource === '') return undefined;
  const name = given === '' && method === 'POST' ? nameInBody(body) : given;
  const namespace = isNamespaced ? (rest[1] ?? '') : '';
  const [group = '', version = ''] = isCore ? ['', path[1]] : path.slice(1);
  return { group, version, resource, namespace, name, subresource };
}

function nameInBody(body: JsonValue | undefined): string {
  const name = stringAt(body, 'metadata', 'name') ?? '';
  return /^[a-z0-9]([a-z0-9.:-]{0,251}[a-z0-9])?$/.test(name) ? name : '';
}

/** Writes that have a word of their own in the console. */
function ownAction(
  { method, body }: AuditedKubeRequest,
  { resource, subresource }: AuditedObject,
): Pick<AuditedAction, 'verb' | 'summary'> | undefined {
  if (resource === 'planapprovals' && subresource === 'status' && method === 'PATCH') {
    const isRejected = stringAt(body, 'status', 'rejectedBy') !== undefined;
    return isRejected
      ? { verb: 'reject', summary: 'rejected the request' }
      : { verb: 'approve', summary: 'approved the request' };
  }
  if (resource === 'planapprovals' && method === 'POST') {
    return { verb: 'request', summary: 'asked for an approval' };
  }
  const workload = workloadAction(method, subresource, body);
  if (workload !== undefined) return workload;
  const annotations = isJsonObject(body) && isJsonObject(body.metadata) ? body.metadata.annotations : undefined;
  if (resource !== 'instances' || method !== 'PATCH' || !isJsonObject(annotations)) return undefined;
  if (!(LOCK_ANNOTATION in annotations)) return undefined;
  return annotations[LOCK_ANNOTATION] === null
    ? { verb: 'unlock', summary: 'removed the lock' }
    : { verb: 'lock', summary: 'locked the Instance' };
}

/** The actions of workloads and Nodes, which the console writes as these bodies. */
function workloadAction(method: string, subresource: string, body: JsonValue | undefined) {
  if (method === 'POST' && subresource === 'eviction') return { verb: 'evict', summary: 'evicted the pod' };
  if (method === 'POST' && subresource === '') {
    const how = stringAt(body, 'metadata', 'annotations', 'cronjob.kubernetes.io/instantiate');
    const [owner] = arrayAt(body, 'metadata', 'ownerReferences');
    const cronJob = stringAt(owner, 'name') ?? '';
    const isNamed = how === 'manual' && stringAt(owner, 'kind') === 'CronJob' && KEY.test(cronJob);
    return isNamed ? { verb: 'trigger', summary: `started a Job of CronJob ${cronJob}` } : undefined;
  }
  if (method !== 'PATCH') return undefined;
  if (subresource === 'scale') {
    const replicas = numberAt(body, 'spec', 'replicas');
    return replicas === undefined ? undefined : { verb: 'scale', summary: `scaled to ${replicas}` };
  }
  const restartedAt = stringAt(body, 'spec', 'template', 'metadata', 'annotations', RESTARTED_AT);
  return restartedAt === undefined ? undefined : { verb: 'restart', summary: 'restarted the pods' };
}

const KEY = /^[A-Za-z0-9]([A-Za-z0-9./_-]{0,100}[A-Za-z0-9])?$/;
const MOST_KEYS = 8;

/** The members of `spec` or of the top that a merge patch names; what is in them stays out. */
function changedParts({ method, body }: AuditedKubeRequest): string {
  if (method !== 'PATCH' || !isJsonObject(body)) return '';
  const parts = Object.entries(body).flatMap(([key, value]) =>
    key === 'spec' && isJsonObject(value) ? Object.keys(value).map((name) => `spec.${name}`) : [key],
  );
  const names = parts.filter((name) => KEY.test(name) && !['apiVersion', 'kind'].includes(name)).slice(0, MOST_KEYS);
  return names.length === 0 ? '' : `: ${names.join(', ')}`;
}

/** Values are in the objects of Secrets, not in tables nor in metadata alone. */
function isReadOfValues({ method, accept }: AuditedKubeRequest, { group, resource }: AuditedObject): boolean {
  const isSecret = group === '' && resource === 'secrets';
  return isSecret && method === 'GET' && !/^[^,]*;as=(Table|PartialObjectMetadata)/.test(accept);
}

function readOfSecrets(object: AuditedObject): AuditedAction {
  return {
    verb: 'read',
    object,
    summary: object.name === '' ? 'read Secrets with their values' : 'read the Secret with its values',
  };
}
