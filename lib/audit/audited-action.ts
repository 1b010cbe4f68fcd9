import { arrayAt, getAt, isJsonObject, type JsonValue, stringAt } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { PLAN_RUNS } from '@/lib/kudo/runs/plan-run';
import { OPERATOR_UPGRADES } from '@/lib/kudo/upgrades/operator-upgrade';
import type { AuditedAction, AuditedObject } from './audit-entry';
import { auditedKubeAction } from './audited-kube-action';

/** A request to one of the console's routes. */
export interface AuditedRequest {
  readonly method: string;
  /** The path from `/api/` on, each part decoded, without the base path: `['instances', 'demo', 'db']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** The parsed body. Only names are taken out of it, never values. */
  readonly body: JsonValue | undefined;
  /** The Accept header. */
  readonly accept: string;
}

type Said = Pick<AuditedAction, 'verb' | 'summary'>;
type SayOf = { readonly [methodAndRest: string]: (body: JsonValue | undefined) => Said };

const INSTANCE: SayOf = {
  'DELETE ': () => ({ verb: 'delete', summary: 'deleted the Instance' }),
  'POST parameters': (body) => ({ verb: 'edit', summary: `changed ${namesOfParameters(body) || 'parameters'}` }),
  'POST parameters/secret': () => ({ verb: 'edit', summary: 'moved the values of secret parameters to a Secret' }),
  'POST version': (body) => ({
    verb: 'upgrade',
    summary: joined(`changed the version to ${nameAt(body, 'operatorVersion')}`, namesOfParameters(body)),
  }),
  'PATCH queue': (body) =>
    stringAt(body, 'do') === 'remove'
      ? { verb: 'dequeue', summary: `removed plan ${nameAt(body, 'plan')} from the queue` }
      : { verb: 'queue', summary: `moved plan ${nameAt(body, 'plan')} in the queue` },
  'POST drift/restore': () => ({ verb: 'restore', summary: 'reverted objects that drifted' }),
  'POST drift/prune': () => ({ verb: 'prune', summary: 'deleted leftover objects' }),
};

const STEERED: { readonly [wish: string]: (body: JsonValue | undefined) => Said } = {
  pause: () => ({ verb: 'pause', summary: 'paused the run' }),
  resume: () => ({ verb: 'resume', summary: 'resumed the run' }),
  cancel: () => ({ verb: 'cancel', summary: 'cancelled the run' }),
  skip: (body) => ({ verb: 'skip', summary: `skipped step ${nameAt(body, 'phase')}.${nameAt(body, 'step')}` }),
  'stop-after': (body) => ({
    verb: 'stop',
    summary:
      nameAt(body, 'phase') === '' ? 'took back the stop' : `stopped the run after phase ${nameAt(body, 'phase')}`,
  }),
};

const RUN: SayOf = {
  'PATCH ': (body) => STEERED[stringAt(body, 'do') ?? '']?.(body) ?? { verb: 'steer', summary: 'steered the run' },
  'POST undo': () => ({ verb: 'undo', summary: 'undid the run' }),
  'GET snapshot': () => ({ verb: 'download', summary: 'downloaded the snapshot of the run' }),
};

/**
 * What a request does that changes something, or reads values of Secrets or a snapshot; undefined for other reads, previews and dry runs.
 */
export function auditedAction(request: AuditedRequest): AuditedAction | undefined {
  if (['true', 'All'].includes(request.query.get('dryRun') ?? '')) return undefined;
  const { method, body } = request;
  const [area = '', ...parts] = request.path;
  if (area === 'kube') return auditedKubeAction({ ...request, path: parts });
  const act = AREAS.get(area);
  if (act !== undefined) return act(method, parts, body);
  if (area === 'controller' && method === 'POST') {
    return { verb: 'start', object: { ...NOTHING, resource: 'controllers' }, summary: 'started the controller' };
  }
  if (area === 'activity' && parts[0] === 'export') {
    return { verb: 'download', object: { ...NOTHING, resource: 'activity' }, summary: 'exported the activity' };
  }
  if (area === 'view-as' && isWrite(method)) {
    const summary =
      method === 'DELETE' ? 'stopped viewing as another user' : `viewed as ${nameAt(body, 'user') || 'another user'}`;
    return { verb: 'impersonate', object: { ...NOTHING, resource: 'users' }, summary };
  }
  const [namespace = '', name = '', ...rest] = parts;
  if (area === 'instances') return instanceAction(method, { ...INSTANCE_OBJECT, namespace, name }, rest, body);
  if (area === 'runs') return said(RUN[`${method} ${rest.join('/')}`], { ...RUN_OBJECT, namespace, name }, body);
  return isWrite(method)
    ? { verb: VERBS[method] ?? '', object: { ...NOTHING, resource: area }, summary: '' }
    : undefined;
}

const NOTHING: AuditedObject = { group: '', version: '', resource: '', namespace: '', name: '', subresource: '' };
const INSTANCE_OBJECT: AuditedObject = { ...NOTHING, ...INSTANCES };
const RUN_OBJECT: AuditedObject = { ...NOTHING, ...PLAN_RUNS };
const VERBS: { readonly [method: string]: string } = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

function isWrite(method: string): boolean {
  return method in VERBS;
}

function said(say: SayOf[string] | undefined, object: AuditedObject, body: JsonValue | undefined) {
  return say === undefined ? undefined : { object, ...say(body) };
}

function instanceAction(
  method: string,
  object: AuditedObject,
  rest: readonly string[],
  body: JsonValue | undefined,
): AuditedAction | undefined {
  if (method !== 'POST' || rest[0] !== 'plans') {
    const known = said(INSTANCE[`${method} ${rest.join('/')}`], object, body);
    if (known !== undefined || !isWrite(method)) return known;
    return { verb: VERBS[method] ?? '', object, summary: rest.join(' ') };
  }
  const plan = rest[1] ?? '';
  const retry = nameAt(body, 'retryOf');
  if (retry !== '') return { verb: 'retry', object, summary: joined(`retried run ${retry}`, namesOfParameters(body)) };
  const broke = (stringAt(body, 'breakLock') ?? '') === '' ? '' : 'broke the lock';
  return { verb: 'run', object, summary: joined(`started plan ${plan}`, namesOfParameters(body), broke) };
}

function clusterAction(
  method: string,
  parts: readonly string[],
  body: JsonValue | undefined,
): AuditedAction | undefined {
  if (!isWrite(method)) return undefined;
  const object = {
    ...NOTHING,
    resource: 'clusters',
    name: method === 'DELETE' ? (parts[0] ?? '') : nameAt(body, 'name'),
  };
  // A test makes the server connect to an address of the person's choice.
  if (parts[0] === 'test') return { verb: 'test', object, summary: 'tested the connection to a cluster' };
  return method === 'DELETE'
    ? { verb: 'delete', object, summary: 'removed the cluster from the console' }
    : { verb: 'create', object, summary: 'added the cluster to the console' };
}

function repositoryAction(
  method: string,
  [first = '', second = '']: readonly string[],
  body: JsonValue | undefined,
): AuditedAction | undefined {
  if (!isWrite(method)) return undefined;
  const isNew = method === 'POST' && (first === '' || first === 'test');
  const object = { ...NOTHING, resource: 'repositories', name: isNew ? nameAt(body, 'name') : first };
  if (first === 'test') return { verb: 'test', object, summary: 'tested the connection to a repository' };
  if (second === 'add') {
    const version = [nameAt(body, 'appVersion'), nameAt(body, 'operatorVersion')].filter(Boolean).join(' ');
    return { verb: 'download', object, summary: `added ${nameAt(body, 'name')} ${version} to the catalogue` };
  }
  if (method === 'DELETE') return { verb: 'delete', object, summary: 'removed the repository from the console' };
  return method === 'PUT'
    ? { verb: 'update', object, summary: 'changed the repository' }
    : { verb: 'create', object, summary: 'added the repository to the console' };
}

function upgradeAction(method: string, parts: readonly string[], body: JsonValue | undefined) {
  if (!isWrite(method) || parts[0] === 'plan') return undefined;
  const object = { ...NOTHING, ...OPERATOR_UPGRADES, namespace: nameAt(body, 'namespace') };
  const instances = arrayAt(body, 'instances').filter((name) => typeof name === 'string' && NAME.test(name));
  const names = instances.slice(0, MOST_NAMES).join(', ');
  return { verb: 'create', object, summary: joined(`started an upgrade of ${names}`, namesOfParameters(body)) };
}

/** A debug container is added; its terminal is audited by the server of terminals. */
function podAction(method: string, [namespace = '', name = '', verb]: readonly string[], body: JsonValue | undefined) {
  if (!isWrite(method) || verb !== 'debug') return undefined;
  const object = { ...NOTHING, version: 'v1', resource: 'pods', namespace, name, subresource: 'ephemeralcontainers' };
  return { verb: 'create', object, summary: `added debug container ${nameAt(body, 'name')}` };
}

function packageAction(method: string, parts: readonly string[], body: JsonValue | undefined) {
  if (!isWrite(method)) return undefined;
  const [name = '', version = '', verb] = parts;
  const object = { ...NOTHING, resource: 'packages' };
  if (name === '') return { verb: 'upload', object, summary: 'uploaded a package' };
  if (name === 'crds') return { verb: 'install', object, summary: "installed Bravo's CRDs" };
  if (verb === 'preview') return undefined;
  const target = { ...INSTANCE_OBJECT, namespace: nameAt(body, 'namespace'), name: nameAt(body, 'instance') };
  const summary = joined(`installed ${name} ${version}`, namesOfParameters(body));
  return verb === 'install' ? { verb: 'install', object: target, summary } : { verb: 'create', object, summary: name };
}

/** A draft of the workshop is installed; its files are not recorded. */
function draftAction(method: string, body: JsonValue | undefined) {
  if (!isWrite(method)) return undefined;
  const object = { ...INSTANCE_OBJECT, namespace: nameAt(body, 'namespace'), name: nameAt(body, 'instance') };
  return { verb: 'install', object, summary: joined('installed a draft of the workshop', namesOfParameters(body)) };
}

const NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/;
const MOST_NAMES = 20;

/** A name out of a body; empty when it is none. A name of Kubernetes is never a secret. */
function nameAt(body: JsonValue | undefined, ...path: readonly string[]): string {
  const text = stringAt(body, ...path) ?? '';
  return NAME.test(text) ? text : '';
}

/** `parameters A, B`, from the keys of the body's `parameters`. */
function namesOfParameters(body: JsonValue | undefined): string {
  const given = getAt(body, 'parameters');
  const names = isJsonObject(given) ? Object.keys(given).filter((name) => NAME.test(name)) : [];
  if (names.length === 0) return '';
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `${names.length === 1 ? 'parameter' : 'parameters'} ${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}

function joined(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(', ');
}

type ActOfArea = (method: string, parts: readonly string[], body: JsonValue | undefined) => AuditedAction | undefined;

/** Areas of the API whose requests one function each explains. */
const AREAS: ReadonlyMap<string, ActOfArea> = new Map<string, ActOfArea>([
  ['packages', packageAction],
  ['workshop', (method, _parts, body) => draftAction(method, body)],
  ['upgrades', upgradeAction],
  ['clusters', clusterAction],
  ['repositories', repositoryAction],
  ['pods', podAction],
]);
