import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOTICES_LABEL } from '@/lib/kudo/notices/notice';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import type { OperatorVersionSpec, ParameterSource } from '@/lib/kudo/types';
import { KUDO_API_VERSION } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, plan, remove } from '@/test/operators/templates';

const namespace = 'sources';
let world: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  world = await startVirtualEngine();
  await world.startController();
  lab = await Lab.open(world, namespace);
});
afterAll(() => world?.stop());

/** Writes PASSWORD and SIZE into a ConfigMap of its name; PASSWORD has a plan of its own. */
function operator(name: string, before: string[] = []): OperatorVersionSpec {
  const held = before.map((step) => [step, step] as const);
  return {
    templates: {
      'c.yaml': configMap(name, '{password: "{{ .Params.PASSWORD }}", size: "{{ .Params.SIZE }}"}'),
      'held.yaml': configMap(`${name}-held`),
    },
    parameters: [
      { name: 'PASSWORD', trigger: 'password', default: 'default' },
      { name: 'SIZE', 'value-type': 'integer', default: '1', trigger: 'deploy' },
    ],
    tasks: [remove('wait', 'held.yaml'), apply('a', 'c.yaml')],
    plans: {
      deploy: plan(...held.map(([step, one]): [string, string] => [step, one]), ['apply', 'a']),
      password: plan(['apply', 'a']),
    },
  };
}

const fromSecret = (object: string, optional = false): ParameterSource => ({
  name: 'PASSWORD',
  secretKeyRef: { name: object, key: 'pw', ...(optional ? { optional } : {}) },
});

async function install(name: string, parametersFrom: ParameterSource[], before: string[] = []): Promise<void> {
  const version = await lab.operator(name, operator(name, before));
  await lab.put('instances', {
    apiVersion: KUDO_API_VERSION,
    kind: 'Instance',
    metadata: { name, namespace },
    spec: { operatorVersion: { name: version }, parametersFrom },
  } as never);
}

const secret = (name: string, pw: string | undefined) =>
  lab.put('secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    stringData: pw === undefined ? {} : { pw },
  });
const rotate = (name: string, pw: string) => lab.patch('secrets', name, { stringData: { pw } });
const shown = (name: string) => lab.find('configmaps', name)?.data;
const uidOf = (name: string, of: string) => lab.instance(name).status?.planStatus?.[of]?.uid;

/** Everything public about an Instance: the object, its events, the log. */
const publicText = (name: string) => JSON.stringify([lab.instance(name), lab.events(name), world.problems]);

describe('a parameter whose value is in a Secret', () => {
  it('is rendered, and stands nowhere on the Instance', async () => {
    await secret('one', 'hunter2-one');
    await install('one', [fromSecret('one')]);
    await lab.ends('one', 'deploy');
    expect(shown('one')).toEqual({ password: 'hunter2-one', size: '1' });
    expect(publicText('one')).not.toMatch(/hunter2|aHVudGVy|\\u0000/);
    expect(actedUpon(lab.instance('one'))?.sources).toEqual({ PASSWORD: 'Secret/one/pw' });
  });

  it('changes like an edit: the plan of the parameter runs by itself', async () => {
    await rotate('one', 'hunter2-two');
    await lab.ends('one', 'password');
    expect(shown('one')).toMatchObject({ password: 'hunter2-two' });
    const uid = uidOf('one', 'password');
    await lab.patch('secrets', 'one', { stringData: { other: 'x' } });
    await world.pass(60_000);
    expect(uidOf('one', 'password')).toBe(uid);
    expect(publicText('one')).not.toMatch(/hunter2|\\u0000/);
  });

  it('makes the plan wait while the key does not exist, and lets it go on when it does', async () => {
    await install('late', [fromSecret('late')]);
    await world.until('it says what is missing', () => lab.ready('late')?.reason === 'DependencyMissing');
    expect(lab.ready('late')).toMatchObject({ message: 'Secret late does not exist; the plan waits for it.' });
    await secret('late', undefined);
    const message = 'Secret late: the key pw does not exist; the plan waits for it.';
    await world.until('it says which key', () => lab.ready('late')?.message === message);
    await rotate('late', 'hunter2-late');
    await lab.ends('late', 'deploy');
    expect(shown('late')).toMatchObject({ password: 'hunter2-late' });
    expect(lab.ready('late')?.status).toBe('True');
  });

  it('has its default while an optional key does not exist', async () => {
    await install('perhaps', [fromSecret('perhaps', true)]);
    await lab.ends('perhaps', 'deploy');
    expect(shown('perhaps')).toMatchObject({ password: 'default' });
    await secret('perhaps', 'hunter2-perhaps');
    await lab.ends('perhaps', 'password');
    expect(shown('perhaps')).toMatchObject({ password: 'hunter2-perhaps' });
    const not = uidOf('perhaps', 'password');
    await lab.remove('secrets', 'perhaps');
    await lab.ends('perhaps', 'password', { not });
    expect(shown('perhaps')).toMatchObject({ password: 'default' });
  });

  it('is the same value when it is moved there: no plan runs', async () => {
    await lab.deploy('moved', operator('moved'), { PASSWORD: 'hunter2-moved' });
    await secret('moved', 'hunter2-moved');
    await lab.patch('instances', 'moved', {
      spec: { parameters: { PASSWORD: null }, parametersFrom: [fromSecret('moved')] } as never,
    });
    await world.until(
      'it is recorded',
      () => actedUpon(lab.instance('moved'))?.sources?.PASSWORD === 'Secret/moved/pw',
    );
    await world.pass(10_000);
    expect(uidOf('moved', 'password')).toBeUndefined();
    await rotate('moved', 'hunter2-later');
    await lab.ends('moved', 'password');
    expect(shown('moved')).toMatchObject({ password: 'hunter2-later' });
  });

  it('that changes while a plan runs waits for its end, and the plan keeps the value that it began with', async () => {
    const held = { name: 'running-held', finalizers: ['example.org/hold'] };
    await lab.put('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...held, namespace } });
    await secret('running', 'hunter2-before');
    await install('running', [fromSecret('running')], ['wait']);
    const status = () => lab.instance('running').status?.planStatus?.deploy?.status;
    await world.until('the plan runs', () => status() === 'IN_PROGRESS');
    await world.pass(5_000);
    expect(status()).toBe('IN_PROGRESS');
    await world.stopController();
    await rotate('running', 'hunter2-after');
    await world.startController();
    const pending = () => lab.instance('running').status?.conditions?.find(({ type }) => type === 'ChangePending');
    await world.until('the change is pending', () => pending() !== undefined);
    await lab.patch('configmaps', 'running-held', { metadata: { finalizers: null } });
    await lab.ends('running', 'deploy');
    await lab.ends('running', 'password');
    const bodies = world.calls.filter(({ path, method }) => method !== 'GET' && path.includes('/configmaps'));
    const written = bodies
      .map(({ body }) => JSON.stringify(body))
      .filter((text) => /hunter2-(before|after)/.test(text));
    expect(written[0]).toContain('hunter2-before');
    expect(written.at(-1)).toContain('hunter2-after');
    expect(shown('running')).toMatchObject({ password: 'hunter2-after' });
    expect(publicText('running')).not.toMatch(/hunter2|\\u0000/);
  });
});

it('a record that shows a value which is secret from now on is rewritten, and keeps what it knows of sources', async () => {
  await secret('hidden', 'hunter2-hidden');
  const version = await lab.operator('hidden', operator('hidden'));
  await lab.put('instances', {
    apiVersion: KUDO_API_VERSION,
    kind: 'Instance',
    metadata: { name: 'hidden', namespace },
    spec: { operatorVersion: { name: version }, parameters: { SIZE: '7' }, parametersFrom: [fromSecret('hidden')] },
  } as never);
  await lab.ends('hidden', 'deploy');
  const before = lab.instance('hidden');
  const schema = { 'bravo.kudo.dev/parameter-schema': '{"parameters":{"SIZE":{"secret":true}}}' };
  await lab.patch('operatorversions', version, { metadata: { annotations: schema } });
  await world.until('it is rewritten', () => actedUpon(lab.instance('hidden'))?.parameters.SIZE === undefined);
  await world.pass(10_000);
  const record = actedUpon(lab.instance('hidden'));
  expect(record?.sources).toEqual({ PASSWORD: 'Secret/hidden/pw' });
  expect(record?.fingerprints?.PASSWORD).toBe(actedUpon(before)?.fingerprints?.PASSWORD);
  expect(lab.instance('hidden').status?.planStatus).toEqual(before.status?.planStatus);
});

describe('a parameter whose value is in a ConfigMap', () => {
  it('is refused when it does not fit, without showing it, and acted upon when it does', async () => {
    const size = (value: string) => ({ data: { size: value } });
    const metadata = { name: 'sizes', namespace };
    await lab.put('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata, ...size('2') });
    await install('sized', [{ name: 'SIZE', configMapKeyRef: { name: 'sizes', key: 'size' } }]);
    await lab.ends('sized', 'deploy');
    expect(shown('sized')).toMatchObject({ size: '2' });
    const not = uidOf('sized', 'deploy');
    await lab.patch('configmaps', 'sizes', size('enormous'));
    await world.until('it is refused', () => lab.ready('sized')?.reason === 'ChangeRefused');
    expect(lab.ready('sized')?.message).toContain('(ConfigMap sizes, key size)');
    expect(publicText('sized')).not.toContain('enormous');
    await lab.patch('configmaps', 'sizes', size('3'));
    await lab.ends('sized', 'deploy', { not });
    expect(shown('sized')).toMatchObject({ size: '3' });
  });
});

it('no write of the controller holds a text that exists for comparison alone', () => {
  const written = world.calls.filter(({ method }) => method !== 'GET').map(({ body }) => JSON.stringify(body ?? {}));
  expect(written.filter((text) => text.includes('\\u0000'))).toEqual([]);
});

it('an Instance without sources costs no read and no watch of Secrets and ConfigMaps', async () => {
  const bare = await startVirtualEngine();
  await bare.startController();
  const other = await Lab.open(bare, 'plain');
  const before = bare.calls.length;
  await other.deploy('plain', operator('plain'), { PASSWORD: 'x' });
  await bare.pass(120_000);
  const reads = bare.calls
    .slice(before)
    .filter(({ method, path }) => method === 'GET' && /\/(secrets|configmaps)\?/.test(path))
    // Those that configure notices are watched always, by their label.
    .filter(({ path }) => !decodeURIComponent(path).includes(NOTICES_LABEL));
  expect(reads.map(({ path }) => path)).toEqual([]);
  await bare.stop();
});
