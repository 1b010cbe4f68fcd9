import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { changeParameters } from '@/server/instances/change-parameters';
import { previewEdit } from '@/server/instances/preview-edit';
import { moveToSecret } from '@/server/parameters/move-to-secret';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, plan } from '@/test/operators/templates';

const namespace = 'edits';
const key = { namespace, name: 'db' };
const operator: OperatorVersionSpec = {
  templates: { 'c.yaml': configMap('db', '{password: "{{ .Params.PASSWORD }}", size: "{{ .Params.SIZE }}"}') },
  parameters: [
    { name: 'PASSWORD', trigger: 'password' },
    { name: 'SIZE', 'value-type': 'integer', default: '1' },
  ],
  tasks: [apply('a', 'c.yaml')],
  plans: { deploy: plan(['apply', 'a']), password: plan(['apply', 'a']) },
};

let world: VirtualEngine;
let lab: Lab;
beforeAll(async () => {
  world = await startVirtualEngine();
  await world.startController();
  lab = await Lab.open(world, namespace);
  await lab.deploy('db', operator, { PASSWORD: 'hunter2-first' });
});
afterAll(() => world?.stop());

const change = (parameters: { [name: string]: string | null }, inline = false) =>
  world.run(changeParameters(world.people, key, { parameters, seen: {}, inline }));
const shown = () => lab.find('configmaps', 'db')?.data;
const held = () => lab.find('secrets', 'db-parameters')?.data as { PASSWORD?: string } | undefined;
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('secret values that a person edits in the console', () => {
  it('are moved out of the Instance without a plan, into a Secret that is deleted with the Instance', async () => {
    expect(await world.run(moveToSecret(world.people, key))).toEqual({ secret: 'db-parameters', moved: ['PASSWORD'] });
    await world.pass(10_000);
    const { spec, status, metadata } = lab.instance('db');
    expect(spec?.parameters).toEqual({});
    expect(spec?.parametersFrom).toEqual([
      { name: 'PASSWORD', secretKeyRef: { name: 'db-parameters', key: 'PASSWORD' } },
    ]);
    expect(held()).toEqual({ PASSWORD: base64('hunter2-first') });
    expect(lab.find('secrets', 'db-parameters')?.metadata.ownerReferences).toMatchObject([{ uid: metadata.uid }]);
    expect(status?.planStatus?.password?.status).toBe('NEVER_RUN');
    await expect(world.run(moveToSecret(world.people, key))).rejects.toThrow('No secret parameter is stored');
  });

  it('are written into the Secret that they come from, and the plan is known before', async () => {
    const edit = { parameters: { PASSWORD: 'hunter2-second' }, seen: {} };
    const preview = await world.run(previewEdit(world.people, key, edit, world.clock));
    expect(preview).toMatchObject({ outcome: 'runs', plan: 'password', objects: [{ kind: 'ConfigMap' }] });
    expect(JSON.stringify(preview)).not.toContain('hunter2');
    expect(await change({ PASSWORD: 'hunter2-second' })).toEqual({ plan: 'password' });
    await lab.ends('db', 'password');
    expect(shown()).toMatchObject({ password: 'hunter2-second' });
    expect(JSON.stringify(lab.instance('db'))).not.toContain('hunter2');
  });

  it('go with values that are no secrets in one edit', async () => {
    expect(await change({ SIZE: '5' })).toEqual({ plan: 'deploy' });
    await world.until('the plan has run', () => (shown() as { size?: string }).size === '5');
    await lab.ends('db', 'deploy');
    expect(lab.instance('db').spec?.parameters).toEqual({ SIZE: '5' });
    expect(shown()).toMatchObject({ password: 'hunter2-second' });
  });

  it('go back into the Instance when a person says so', async () => {
    const not = lab.instance('db').status?.planStatus?.password?.uid;
    await change({ PASSWORD: 'hunter2-inline' }, true);
    await lab.ends('db', 'password', { not });
    expect(lab.instance('db').spec?.parametersFrom).toBeUndefined();
    expect(shown()).toMatchObject({ password: 'hunter2-inline' });
  });

  it('go into a Secret by default when they are set anew', async () => {
    const not = lab.instance('db').status?.planStatus?.password?.uid;
    await change({ PASSWORD: 'hunter2-third' });
    await lab.ends('db', 'password', { not });
    expect(shown()).toMatchObject({ password: 'hunter2-third' });
    expect(held()).toEqual({ PASSWORD: base64('hunter2-third') });
    expect(lab.instance('db').spec?.parameters).toEqual({ SIZE: '5' });
  });
});
