import { afterEach, beforeEach, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { JsonObject } from '@/lib/json/json';
import { seededRandom } from '@/lib/random/random';
import { type Sandbox, startSandbox } from '../../sandbox';

const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox({
    port: 'none',
    mode: 'no-controllers',
    podDelayMs: 0,
    clock: new VirtualClock(),
    random: seededRandom('policies'),
  });
});
afterEach(() => sandbox.stop());

async function call(method: string, path: string, body?: JsonObject) {
  const {
    status,
    headers,
    body: bytes,
  } = await sandbox.inject({
    method,
    path,
    headers: {
      authorization: `Bearer ${sandbox.adminToken}`,
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  let text = '';
  for await (const chunk of bytes) text += new TextDecoder().decode(chunk);
  return { status, warning: headers.warning, body: JSON.parse(text) as JsonObject };
}

const ofConfigMaps = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] };
const atMostOne = "request.operation == 'DELETE' || size(object.data) < 2";

/** Policy `small`, bound with the action. */
async function bind(action: string, rule: JsonObject = ofConfigMaps, expression = atMostOne): Promise<void> {
  const resourceRules = [rule];
  const validations = [{ expression, message: 'too many' }];
  const form = (kind: string, name: string, spec: JsonObject) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name },
    spec,
  });
  const policy = form('ValidatingAdmissionPolicy', 'small', { matchConstraints: { resourceRules }, validations });
  const spec = { policyName: 'small', validationActions: [action] };
  const binding = form('ValidatingAdmissionPolicyBinding', 'everywhere', spec);
  expect((await call('POST', `${REGISTRATION}/validatingadmissionpolicies`, policy)).status).toBe(201);
  expect((await call('POST', `${REGISTRATION}/validatingadmissionpolicybindings`, binding)).status).toBe(201);
}

const configMap = (data: JsonObject) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data });
const large = configMap({ a: '1', b: '2' });
const denial = `ValidatingAdmissionPolicy 'small' with binding 'everywhere' denied request: too many`;

it('a policy that denies answers creates, patches, puts and dry runs with a Status, and writes nothing', async () => {
  await bind('Deny');
  const refused = await call('POST', CONFIG_MAPS, large);
  expect(refused.body).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `configmaps "a" is forbidden: ${denial}`,
    reason: 'Invalid',
    details: { name: 'a', kind: 'configmaps', causes: [{ message: denial }] },
    code: 422,
  });
  expect((await call('POST', `${CONFIG_MAPS}?dryRun=All`, large)).status).toBe(422);
  expect((await call('GET', `${CONFIG_MAPS}/a`)).status).toBe(404);
  expect((await call('POST', CONFIG_MAPS, configMap({ a: '1' }))).status).toBe(201);
  expect((await call('PATCH', `${CONFIG_MAPS}/a`, { data: { b: '2' } })).status).toBe(422);
  expect((await call('PUT', `${CONFIG_MAPS}/a`, large)).status).toBe(422);
  expect((await call('DELETE', `${CONFIG_MAPS}/a`)).status).toBe(200);
});

it('a policy that warns lets the write through with a warning', async () => {
  await bind('Warn');
  const { status, warning } = await call('POST', CONFIG_MAPS, large);
  expect(status).toBe(201);
  const text = "Validation failed for ValidatingAdmissionPolicy 'small' with binding 'everywhere': too many";
  expect(warning).toBe(`299 - "${text}"`);
});

it('a policy for scales sees the Scale, and one for Deployments does not see it', async () => {
  const rule = { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments/scale'], operations: ['UPDATE'] };
  const isSmall = "request.kind.kind == 'Scale' && object.spec.replicas - oldObject.spec.replicas < 2";
  await bind('Deny', rule, isSmall);
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec };
  expect((await call('POST', deployments, deployment)).status).toBe(201);
  const scaleTo = (replicas: number) => call('PATCH', `${deployments}/d/scale`, { spec: { replicas } });
  expect((await scaleTo(3)).body.message).toContain("binding 'everywhere' denied request: too many");
  expect((await scaleTo(2)).status).toBe(200);
  expect((await call('PATCH', `${deployments}/d`, { spec: { replicas: 9 } })).status).toBe(200);
});

it.each([
  ['eviction', 'Eviction', {}],
  ['binding', 'Binding', { target: { kind: 'Node', name: 'other' } }],
])('a policy sees the creation of the %s of a pod, and its refusal leaves the pod', async (subresource, kind, more) => {
  const pods = '/api/v1/namespaces/default/pods';
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  };
  expect((await call('POST', pods, pod)).status).toBe(201);
  const rule = { apiGroups: [''], apiVersions: ['v1'], resources: [`pods/${subresource}`], operations: ['CREATE'] };
  await bind('Deny', rule, `request.kind.kind != '${kind}' || object.kind != '${kind}' || object.metadata.name != 'p'`);
  const apiVersion = kind === 'Eviction' ? 'policy/v1' : 'v1';
  const refused = await call('POST', `${pods}/p/${subresource}`, {
    apiVersion,
    kind,
    metadata: { name: 'p' },
    ...more,
  });
  expect(refused.body.message).toBe(`pods "p" is forbidden: ${denial}`);
  const left = await call('GET', `${pods}/p`);
  expect(left.body).toMatchObject({ metadata: { name: 'p' }, spec: { containers: [{ name: 'c' }] } });
  expect(left.body.metadata).not.toHaveProperty('deletionTimestamp');
});
