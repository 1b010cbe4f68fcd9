import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isJsonObject } from '@/lib/json/json';
import { KUDO_API_VERSION, type OperatorVersionSpec } from '@/lib/kudo/types';
import { renderBatch } from '@/server/tasks/render-batch';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, plan, remove } from '@/test/operators/templates';

const TEMPLATE = `apiVersion: v1
kind: Secret
metadata:
  name: {{ .Name }}-credentials
stringData:
  username: admin
  password: {{ randAlphaNum 24 }}
`;

/** As versions before 0.2 generated it: from public text. */
function computed(uid: string, place: string): string {
  const [result] = renderBatch({
    templates: [{ name: 's.yaml', text: '{{ randAlphaNum 24 }}' }],
    values: {},
    randomness: { from: 'legacy', text: `${uid}/${place}` },
    nowMs: 0,
  });
  return result !== undefined && 'text' in result ? result.text : '';
}

const database: OperatorVersionSpec = {
  templates: { 's.yaml': TEMPLATE, 'c.yaml': configMap('settings'), 'held.yaml': configMap('held') },
  tasks: [apply('credentials', 's.yaml'), apply('settings', 'c.yaml'), remove('wait', 'held.yaml')],
  plans: {
    deploy: plan(['run', 'credentials', 'settings', 'wait']),
    password: plan(['change', 'credentials']),
  },
};

let engine: VirtualEngine;
let lab: Lab;
beforeEach(async () => {
  engine = await startVirtualEngine();
  lab = await Lab.open(engine, 'vault');
});
afterEach(() => engine.stop());

const passwordOf = (name: string) => {
  const data = lab.find('secrets', `${name}-credentials`)?.data;
  return Buffer.from(isJsonObject(data) ? String(data.password) : '', 'base64').toString();
};
const condition = (name: string) =>
  lab.instance(name).status?.conditions?.find(({ type }) => type === 'GuessableSecret');

describe('a Secret that an earlier version generated', () => {
  it('is named by a condition and an event, with the plan that replaces it, until that plan has run', async () => {
    await engine.startController();
    await lab.deploy('db', database);
    expect(condition('db')).toBeUndefined();
    await engine.stopController();
    const uid = lab.instance('db').status?.planStatus?.deploy?.uid ?? '';
    const password = Buffer.from(computed(uid, 'main/run/credentials')).toString('base64');
    await lab.patch('secrets', 'db-credentials', { data: { password } });
    await engine.startController();
    await engine.until('the Secret is named', () => condition('db') !== undefined);
    expect(condition('db')).toMatchObject({ status: 'True', reason: 'GuessableSecret' });
    expect(condition('db')?.message).toBe(
      'Secret db-credentials: an earlier version of Bravo generated the value of key password from public fields, ' +
        'so anybody who can read the Instance can compute it. Run plan password to replace it.',
    );
    await engine.pass(1_000);
    expect(lab.reasons('db').filter((reason) => reason === 'GuessableSecret')).toHaveLength(1);
    await lab.edit('db', { planExecution: { planName: 'password' } }, 'password');
    expect(passwordOf('db')).not.toBe(computed(uid, 'main/run/credentials'));
    expect(condition('db')).toBeUndefined();
  });

  it('is made by a run that such a version began, which ends as it began, and is named afterwards', async () => {
    const version = await lab.operator('db', database);
    const uid = 'd3b07384-d9a0-4c9b-8f3e-2a1f5c6b7e80';
    const execution = { plan: 'deploy', uid, startedAt: '2023-11-14T22:00:00Z' };
    const record = JSON.stringify({ operatorVersion: { name: version }, parameters: {}, ...execution });
    await lab.put('instances', {
      apiVersion: KUDO_API_VERSION,
      kind: 'Instance',
      metadata: { name: 'db', namespace: 'vault', annotations: { 'bravo.kudo.dev/acted-upon': record } },
      spec: { operatorVersion: { name: version }, planExecution: { planName: 'deploy', uid, status: 'IN_PROGRESS' } },
    });
    const step = { name: 'run', status: 'IN_PROGRESS' };
    const phase = { name: 'main', status: 'IN_PROGRESS', steps: [step] };
    const status = { name: 'deploy', uid, status: 'IN_PROGRESS', phases: [phase] };
    await lab.patch('instances', 'db', { status: { planStatus: { deploy: status } } }, 'status');
    await engine.startController();
    await lab.ends('db', 'deploy');
    expect(passwordOf('db')).toBe(computed(uid, 'main/run/credentials'));
    await engine.until('the Secret is named', () => condition('db') !== undefined);
    expect(condition('db')?.message).not.toContain(passwordOf('db'));
  });

  it('is told from one that somebody chose, and from one of this version', async () => {
    await engine.startController();
    await lab.deploy('own', database);
    await lab.patch('secrets', 'own-credentials', { data: { password: Buffer.from('chosen').toString('base64') } });
    await engine.stopController();
    await engine.startController();
    await engine.pass(5_000);
    expect(condition('own')).toBeUndefined();
  });
});
