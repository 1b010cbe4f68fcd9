import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import type { JsonObject } from '@/lib/json/json';
import { type AccessQuestion, accessTo } from '@/lib/kube/access';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { bravoRoles } from '@/lib/kudo/installation/roles';
import { CONFIRM_ANNOTATION } from '@/lib/kudo/names';
import { type OperatorAction, rightsByAction } from '@/lib/kudo/view/action-rights';
import { AccessReviews } from '@/server/auth/access-reviews';
import type { Api } from '@/server/kube/api';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { saying, WIPE, wiping } from '@/test/operators/destructive-operator';
import { CONFIGURATION_NAME, CONFIGURATIONS } from '../webhook/registration';

/**
 * For each role and each action: what the page says, by the questions that disable its buttons, is what the API server says to the
 * requests that the action comes to. Real HTTP with the person's own authority; writes are dry runs.
 */
const NS = 'matrix';
const RBAC = 'rbac.authorization.k8s.io';
const rule = (group: string, resources: string, verbs: string) => ({
  apiGroups: [group],
  resources: resources.split(' '),
  verbs: verbs.split(' '),
});
const READ = rule('kudo.dev', 'instances operatorversions operators', 'get list watch');

/** Roles beside those of Kubernetes and of Bravo. */
const ownRoles: { readonly [name: string]: readonly object[] } = {
  destroyer: [READ, rule('kudo.dev', 'instances', 'patch destroy')],
  'destroy-only': [READ, rule('kudo.dev', 'instances', 'destroy')],
  approver: [READ, rule('bravo.kudo.dev', 'planapprovals/status', 'patch')],
  steerer: [rule('bravo.kudo.dev', 'planruns', 'get list watch patch')],
  scheduler: [rule('bravo.kudo.dev', 'planschedules', 'get list watch create patch')],
  installer: [READ, rule('kudo.dev', 'instances operatorversions operators', 'create')],
  'blind-editor': [rule('kudo.dev', 'instances', 'get patch')],
  'secret-reader': [rule('', 'secrets', 'get')],
  'log-reader': [rule('', 'pods pods/log', 'get list')],
  'kudo-star': [rule('kudo.dev', '*', '*')],
};
const ROLES = [
  'none',
  'view',
  'edit',
  'admin',
  'cluster-admin',
  'bravo-viewer',
  'bravo-user',
  'bravo-admin',
  ...Object.keys(ownRoles),
];

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject;
}

const kudo = (rest: string) => `/apis/kudo.dev/v1beta1/namespaces/${NS}/${rest}`;
const bravo = (rest: string) => `/apis/bravo.kudo.dev/v1alpha1/namespaces/${NS}/${rest}`;
const patch = (path: string, body: JsonObject): Request => ({ method: 'PATCH', path, body });
const create = (path: string, kind: string, apiVersion: string, rest: JsonObject): Request => ({
  method: 'POST',
  path,
  body: { apiVersion, kind, metadata: { namespace: NS, name: 'tried' }, ...rest },
});
const readVersion: Request = { method: 'GET', path: kudo('operatorversions/op-1') };
const start = (plan: string, annotations: JsonObject = {}) =>
  patch(kudo('instances/a'), { metadata: { annotations }, spec: { planExecution: { planName: plan, uid: 'tried' } } });

/** The requests that each action comes to. */
const requests: { readonly [action in OperatorAction]: readonly Request[] } = {
  view: [{ method: 'GET', path: kudo('instances') }],
  'edit parameters': [readVersion, patch(kudo('instances/a'), { spec: { parameters: { A: 'b' } } })],
  'start plans': [readVersion, start('deploy')],
  'start destructive plans': [readVersion, start('wipe', { [CONFIRM_ANNOTATION]: 'wipe/a' })],
  'steer runs': [patch(bravo('planruns/run'), { spec: { paused: true } })],
  'ask for approvals': [
    create(bravo('planapprovals'), 'PlanApproval', 'bravo.kudo.dev/v1alpha1', {
      spec: { instanceName: 'a', plan: 'deploy' },
    }),
  ],
  approve: [patch(bravo('planapprovals/asked/status'), { metadata: { labels: { tried: 'yes' } } })],
  'create schedules': [
    create(bravo('planschedules'), 'PlanSchedule', 'bravo.kudo.dev/v1alpha1', {
      spec: { instanceName: 'a', plan: 'deploy', schedule: '0 3 * * *' },
    }),
  ],
  'edit schedules': [patch(bravo('planschedules/nightly'), { metadata: { labels: { tried: 'yes' } } })],
  'delete schedules': [{ method: 'DELETE', path: bravo('planschedules/nightly') }],
  install: [
    create(kudo('operators'), 'Operator', 'kudo.dev/v1beta1', { spec: {} }),
    create(kudo('operatorversions'), 'OperatorVersion', 'kudo.dev/v1beta1', { spec: { version: '1' } }),
    create(kudo('instances'), 'Instance', 'kudo.dev/v1beta1', { spec: { operatorVersion: { name: 'op-1' } } }),
  ],
  uninstall: [{ method: 'DELETE', path: kudo('instances/a') }],
};

/** What pages beside those of operators do: the question that they ask, and the request. */
const others: { readonly [action: string]: { question: AccessQuestion; request: Request } } = {
  'edit YAML': {
    question: accessTo('update', INSTANCES, NS),
    request: { method: 'PUT', path: kudo('instances/a') },
  },
  'read a Secret': {
    question: accessTo('get', { group: '', resource: 'secrets' }, NS),
    request: { method: 'GET', path: `/api/v1/namespaces/${NS}/secrets/s` },
  },
  'read logs': {
    question: accessTo('get', { group: '', resource: 'pods/log' }, NS),
    request: { method: 'GET', path: `/api/v1/namespaces/${NS}/pods/none/log` },
  },
  'run a command in a pod': {
    question: accessTo('create', { group: '', resource: 'pods/exec' }, NS),
    request: { method: 'POST', path: `/api/v1/namespaces/${NS}/pods/none/exec?command=ls` },
  },
  'create a namespace': {
    question: accessTo('create', { group: '', resource: 'namespaces' }),
    request: create('/api/v1/namespaces', 'Namespace', 'v1', { metadata: { name: 'tried' } }),
  },
};

let engine: Engine;
let reviews: AccessReviews;

beforeAll(async () => {
  engine = await startEngine({ webhook: true });
  reviews = new AccessReviews(systemClock);
  await createNamespace(engine.api, NS);
  await grantAll();
  await createOperator(engine.api, NS, 'op', wiping());
  const annotations = saying({ wipe: WIPE });
  await engine.api.patch({ ...OPERATOR_VERSIONS, namespace: NS, name: 'op-1' }, 'merge', { metadata: { annotations } });
  await createInstance(engine.api, NS, 'a', 'op-1');
  await planEnds(engine.api, NS, 'a', { plan: 'deploy' });
  for (const [resource, kind, name, spec] of [
    ['planschedules', 'PlanSchedule', 'nightly', { instanceName: 'a', plan: 'deploy', schedule: '0 3 * * *' }],
    ['planruns', 'PlanRun', 'run', { instanceName: 'a', plan: 'deploy', uid: 'u' }],
  ] as const) {
    const apiVersion = 'bravo.kudo.dev/v1alpha1';
    const object = { apiVersion, kind, metadata: { namespace: NS, name }, spec } as unknown as KubeObject;
    await engine.api.create({ group: 'bravo.kudo.dev', version: 'v1alpha1', resource, namespace: NS }, object);
  }
  await eventually('the webhook is registered', () => engine.api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME }));
  await eventually('view contains bravo-viewer', async () => {
    reviews.forget();
    return (await mayAll('view', rightsByAction.view(NS))) || undefined;
  });
});
afterAll(() => engine?.stop());

async function grantAll(): Promise<void> {
  const clusterRole = (name: string, rules: readonly object[]) =>
    ({ apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name }, rules }) as unknown as KubeObject;
  const own = Object.entries(ownRoles).map(([name, rules]) => clusterRole(name, rules));
  for (const role of [...bravoRoles(), ...own]) {
    await engine.api.create({ group: RBAC, version: 'v1', resource: 'clusterroles' }, role);
  }
  for (const role of ROLES.filter((name) => name !== 'none')) {
    const isWide = role === 'cluster-admin';
    const kind = isWide ? 'ClusterRoleBinding' : 'RoleBinding';
    const binding = {
      apiVersion: `${RBAC}/v1`,
      kind,
      metadata: { name: `matrix-${role}`, ...(isWide ? {} : { namespace: NS }) },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'User', name: role, apiGroup: RBAC }],
    };
    const resource = `${kind.toLowerCase()}s`;
    const target = { group: RBAC, version: 'v1', resource, ...(isWide ? {} : { namespace: NS }) };
    await engine.api.create(target, binding as unknown as KubeObject);
  }
}

/** The API with the authority of a user who is named like their role. */
function apiOf(user: string): Api {
  const raw: Api['raw'] = (request) =>
    engine.api.raw({ ...request, headers: { ...request.headers, 'impersonate-user': user } });
  return { ...engine.api, raw };
}

/** What the page says: every button is enabled only with all of its rights. */
async function mayAll(user: string, questions: readonly AccessQuestion[]): Promise<boolean> {
  const reviewer = { identity: user, api: apiOf(user) };
  const answers = await Promise.all(questions.map((question) => reviews.ask(reviewer, question)));
  return answers.every(({ allowed }) => allowed);
}

/** What the API server says; anything but a refusal by rights counts as let pass. */
async function isLetPass(user: string, { method, path, body }: Request): Promise<boolean> {
  const isWrite = method !== 'GET';
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const response = await apiOf(user).raw({
    method,
    path: isWrite ? `${path}${path.includes('?') ? '&' : '?'}dryRun=All` : path,
    headers: { 'content-type': type },
    body: isWrite ? JSON.stringify(body ?? {}) : undefined,
  });
  let text = '';
  for await (const chunk of response.body) text += Buffer.from(chunk).toString();
  expect(response.status).not.toBe(401);
  expect(response.status).toBeLessThan(500);
  // A plan that needs no approval cannot be asked one for: the webhook refuses that to everybody.
  return response.status !== 403 || !/User \\?"[^"]+" (cannot|may not) /.test(text);
}

describe('the page and the API server agree', () => {
  it.each(ROLES)('about every action of %s', async (role) => {
    const differences: string[] = [];
    const compare = async (action: string, questions: readonly AccessQuestion[], asked: readonly Request[]) => {
      const page = await mayAll(role, questions);
      const answers = await Promise.all(asked.map((request) => isLetPass(role, request)));
      const api = answers.every(Boolean);
      if (page !== api) differences.push(`${action}: the page says ${page}, the API ${api}`);
    };
    for (const [action, asked] of Object.entries(requests)) {
      await compare(action, rightsByAction[action as OperatorAction](NS), asked);
    }
    for (const [action, { question, request }] of Object.entries(others)) await compare(action, [question], [request]);
    expect(differences).toEqual([]);
  });

  it('gives each role of Bravo what the guide says', async () => {
    const allowed = async (role: string) => {
      const actions = Object.entries(rightsByAction);
      const answers = await Promise.all(actions.map(([, rights]) => mayAll(role, rights(NS))));
      return actions.filter((_, at) => answers[at]).map(([action]) => action);
    };
    const user = ['view', 'edit parameters', 'start plans', 'steer runs', 'ask for approvals'];
    expect(await allowed('none')).toEqual([]);
    expect(await allowed('view')).toEqual(['view']);
    expect(await allowed('edit')).toEqual(user);
    expect(await allowed('bravo-user')).toEqual(user);
    expect(await allowed('bravo-admin')).toEqual(Object.keys(rightsByAction));
    expect(await allowed('admin')).toEqual(Object.keys(rightsByAction));
  });
});
