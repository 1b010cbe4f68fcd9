import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KUDO_API_VERSION, type OperatorVersionSpec } from '@/lib/kudo/types';
import { writeYaml } from '@/lib/yaml/yaml';
import { installPlaced } from '@/server/catalogue/install-placed';
import { changeParameters } from '@/server/instances/change-parameters';
import { previewEdit } from '@/server/instances/preview-edit';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { loadPackage } from '@/server/packages/loaded-package';
import { moveToSecret } from '@/server/parameters/move-to-secret';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, plan } from '@/test/operators/templates';
import { projectRoot } from '@/test/programs/process';

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

describe('an install from the catalogue', () => {
  const wish = { namespace, instance: 'shop', parameters: { PASSWORD: 'hunter2-install', SIZE: '4' } };
  const install = async (instance: string, inline: boolean) => {
    const folder = await mkdtemp(join(tmpdir(), 'bravo-keeper-'));
    await mkdir(join(folder, 'templates'));
    const { tasks, plans, parameters, templates = {} } = operator;
    const named = { apiVersion: KUDO_API_VERSION, name: `keeper-${instance}`, operatorVersion: '1.0.0', tasks, plans };
    await writeFile(join(folder, 'operator.yaml'), writeYaml(named as never));
    await writeFile(join(folder, 'params.yaml'), writeYaml({ apiVersion: KUDO_API_VERSION, parameters } as never));
    const text = (templates['c.yaml'] ?? '').replace('name: db', `name: ${instance}`);
    await writeFile(join(folder, 'templates/c.yaml'), text);
    const loaded = await loadPackage(folder);
    await rm(folder, { recursive: true });
    const catalogue = new PackageCatalogue({ bundledDir: join(projectRoot, 'operators') });
    const context = { catalogue, scope: loaded.scope };
    const { signal } = new AbortController();
    await world.run(installPlaced(world.people, { loaded, context, wish: { ...wish, instance, inline }, signal }));
    await lab.ends(instance, 'deploy');
  };

  it('puts secret values into a Secret that is deleted with the Instance', async () => {
    await install('shop', false);
    const { spec, metadata } = lab.instance('shop');
    expect(spec?.parameters).toEqual({ SIZE: '4' });
    expect(spec?.parametersFrom).toEqual([
      { name: 'PASSWORD', secretKeyRef: { name: 'shop-parameters', key: 'PASSWORD' } },
    ]);
    expect(lab.find('secrets', 'shop-parameters')?.metadata.ownerReferences).toMatchObject([{ uid: metadata.uid }]);
    expect(lab.find('configmaps', 'shop')?.data).toEqual({ password: 'hunter2-install', size: '4' });
    await lab.remove('instances', 'shop');
    await world.until('the Secret is gone', () => lab.find('secrets', 'shop-parameters') === undefined);
  });

  it('keeps them in the Instance when a person says so', async () => {
    await install('plain', true);
    expect(lab.instance('plain').spec?.parameters).toEqual({ PASSWORD: 'hunter2-install', SIZE: '4' });
    expect(lab.find('secrets', 'plain-parameters')).toBeUndefined();
  });
});
