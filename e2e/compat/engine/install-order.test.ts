import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, oneStep } from '@/test/operators/templates';

let world: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  world = await startVirtualEngine();
  await world.startController();
  lab = await Lab.open(world, 'order');
});
afterEach(() => world.refuse(undefined));
afterAll(() => world?.stop());

const rbac = (kind: string, rest: string) =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}\nmetadata: {name: reader}\n${rest}`;
const role = rbac('Role', 'rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]\n');
const binding = rbac(
  'RoleBinding',
  'roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}\nsubjects: [{kind: ServiceAccount, name: default}]\n',
);

/** What the controller has created of these resources, in order. */
const created = (...resources: string[]) =>
  world.calls
    .filter(({ method, status }) => method === 'POST' && status === 201)
    .map(({ path }) => path.replace(/\?.*/, '').split('/').at(-1) ?? '')
    .filter((resource) => resources.includes(resource));

describe('the objects of a task', () => {
  it('are made in the install order of their kinds: a Role before the RoleBinding that is listed first', async () => {
    // A controller without the right to bind may name only a Role that exists, and whose rights it has.
    const hasRole = () => created('roles').length > 0;
    world.refuse(({ method, path }) =>
      method === 'POST' && path.includes('/rolebindings') && !hasRole() ? 404 : undefined,
    );
    const templates = { 'binding.yaml': binding, 'role.yaml': role };
    await lab.deploy('roles', oneStep([apply('a', 'binding.yaml', 'role.yaml')], { templates }));
    expect(created('roles', 'rolebindings')).toEqual(['roles', 'rolebindings']);
  });

  it('that are refused are tried again when the others are made', async () => {
    const isMade = (name: string) => lab.find('configmaps', name) !== undefined;
    let refused = 0;
    world.refuse(({ method, path }) => {
      if (method !== 'POST' || !path.includes('/serviceaccounts') || isMade('allowed')) return undefined;
      refused += 1;
      return 403;
    });
    const account = 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: worker}\n';
    const templates = { 'account.yaml': account, 'data.yaml': configMap('allowed') };
    const { status } = await lab.deploy('round', oneStep([apply('a', 'account.yaml', 'data.yaml')], { templates }));
    expect(refused).toBe(1);
    expect(status?.planStatus?.deploy?.status).toBe('COMPLETE');
    expect(created('serviceaccounts', 'configmaps').slice(-2)).toEqual(['configmaps', 'serviceaccounts']);
  });

  it('that stay refused are named, and the others exist', async () => {
    world.refuse(({ method, path }) => (method === 'POST' && path.includes('/serviceaccounts') ? 403 : undefined));
    const account = 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: idler}\n';
    const templates = { 'account.yaml': account, 'data.yaml': configMap('beside') };
    await lab.create(
      'stays',
      await lab.operator('stays', oneStep([apply('a', 'account.yaml', 'data.yaml')], { templates })),
    );
    const step = await lab.step('stays', 'deploy.main.run', 'ERROR');
    expect(step.message).toContain('A transient error when executing task deploy.main.run.a. Will retry.');
    expect(lab.find('configmaps', 'beside')).toBeDefined();
    world.refuse(undefined);
    await lab.ends('stays', 'deploy');
  });
});
