import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { objectAt } from '@/lib/json/json';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { sha256Of, shownRecordText } from '@/lib/kudo/runs/shown-record';
import { signedText } from '@/lib/kudo/runs/signed-run';
import { seededRandom } from '@/lib/random/random';
import { silentLog } from '@/server/log/log';
import { readRecordJson } from '@/server/runs/record-secret';
import { publicKeys, readPublishedKeys } from '@/server/runs/run-signature';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { drive } from '@/test/engine/virtual-time';
import { apply, oneStep, plan } from '@/test/operators/templates';
import { SigningKey } from './signing-key';

const operator = {
  ...oneStep([apply('write', 'c.yaml')]),
  templates: {
    'c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Name }}"}\ndata: {a: "{{ .Params.A }}"}\n',
  },
  parameters: [{ name: 'A', default: 'a' }],
  plans: { deploy: plan(['run', 'write']) },
};

let engine: VirtualEngine;
let lab: Lab;
beforeEach(async () => {
  engine = await startVirtualEngine();
  lab = await Lab.open(engine, 'signed');
});
afterEach(() => engine?.stop());

const published = () => engine.run(readPublishedKeys(engine.people, 'default'));
const secret = () => objectAt(lab.find('secrets', 'bravo-signing-key', 'default'), 'data').key;
const runOf = (name: string) => lab.find('planruns', name) as PlanRun;
const isSigned = async (run: PlanRun) => {
  const keys = publicKeys([...(await published()).pemById.values()]);
  return keys.verify(signedText(run), run.status?.signature ?? {});
};
const deploy = async (name: string) => {
  await lab.deploy(name, operator);
  return lab.run(`${name}-deploy-1`, 'COMPLETE');
};

describe('the signature of a run', () => {
  it('is of what the cluster says about a run that is over, its record included', async () => {
    await engine.startController();
    const run = await deploy('db');
    expect(await isSigned(run)).toBe(true);
    const record = await engine.run(readRecordJson(engine.people, run));
    expect(run.status?.recordSha256).toBe(sha256Of(shownRecordText(record ?? {})));
    expect(await isSigned({ ...run, status: { ...run.status, message: 'other' } })).toBe(false);
  });

  it('stays when the run is steered after its end, and when its Instance goes', async () => {
    await engine.startController();
    await deploy('db');
    await lab.patch('planruns', 'db-deploy-1', { spec: { paused: true, stopAfter: 'main' } });
    await lab.remove('instances', 'db');
    await engine.pass(301_000);
    const gone = lab.runs('db').find(({ status }) => status?.instanceGoneAt !== undefined);
    expect(gone).toBeDefined();
    for (const run of lab.runs('db')) expect(await isSigned(run)).toBe(true);
  });

  it('is in the write of the end: a run costs no further request', async () => {
    await engine.startController();
    await deploy('db');
    expect(lab.writes('planruns', 'db-deploy-1').map(({ method }) => method)).toEqual(['POST', 'PUT']);
  });

  it('is not made of a record that somebody else wrote under its name', async () => {
    await engine.startController();
    await lab.put('secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'db-deploy-1.bravo-record', annotations: { 'bravo.kudo.dev/record': '{"sha256":"00"}' } },
      type: 'bravo.kudo.dev/run-record',
      data: { 'record.json.gz': 'H4sIAAAAAAAAA6tWKkkszlayio6tBQD8wxYXDAAAAA==' },
    });
    const { status } = await deploy('db');
    expect(status).toMatchObject({ recordName: 'db-deploy-1.bravo-record' });
    expect([status?.recordSha256, status?.signature]).toEqual([undefined, undefined]);
  });

  it('is not made of a run that somebody else created, with an author of their choice', async () => {
    await engine.startController();
    await lab.create('db', await lab.operator('db', operator));
    await lab.ends('db', 'deploy');
    const own = await lab.run('db-deploy-1', 'COMPLETE');
    await lab.put('planruns', {
      apiVersion: own.apiVersion,
      kind: own.kind,
      metadata: { name: 'db-deploy-9', annotations: own.metadata.annotations ?? {} },
      spec: { ...own.spec, uid: 'made up', requestedBy: 'the boss' },
    });
    await engine.pass(301_000);
    await lab.edit('db', { parameters: { A: 'b' } }, 'deploy');
    const { status } = await lab.run('db-deploy-9', 'FATAL_ERROR');
    expect(status?.signature).toBeUndefined();
    expect(await isSigned(await lab.run('db-deploy-10', 'COMPLETE'))).toBe(true);
  });

  it('is of the record that the cluster has, when the write of it has no answer', async () => {
    let lost = 0;
    await engine.startController();
    engine.refuse(({ method, path, body }) => {
      if (method !== 'POST' || !path.endsWith('/secrets') || !String(body).includes('bravo-record') || lost++ > 0)
        return;
      return lab.put('secrets', JSON.parse(String(body))).then(() => Promise.reject(new Error('no answer')));
    });
    const run = await deploy('db');
    expect(lost).toBeGreaterThan(0);
    expect(run.status?.recordSha256).toBeDefined();
    expect(await isSigned(run)).toBe(true);
  });
});

describe('the key that signs runs', () => {
  it('is another one after its Secret was deleted, and the old one stays published', async () => {
    await engine.startController();
    const first = await deploy('a');
    const { current } = await published();
    await engine.run(
      engine.people.delete({
        ...{ group: '', version: 'v1', resource: 'secrets' },
        ...{ namespace: 'default', name: 'bravo-signing-key' },
      }),
    );
    await engine.stopController();
    await engine.startController();
    const second = await deploy('b');
    const after = await published();
    expect(after.current).not.toBe(current);
    expect(after.pemById.size).toBe(2);
    expect([first, second].map(({ status }) => status?.signature?.keyId)).toEqual([current, after.current]);
    for (const run of [first, second]) expect(await isSigned(run)).toBe(true);
  });

  it('is the same after a restart', async () => {
    await engine.startController();
    const before = secret();
    await engine.stopController();
    await engine.startController();
    await deploy('db');
    expect(before).toBeDefined();
    expect(secret()).toBe(before);
    expect((await published()).pemById.size).toBe(1);
  });

  it('is one when two controllers start at once', async () => {
    const { clock, people: api } = engine;
    const keys = ['one', 'two'].map(
      (name) => new SigningKey({ api, clock, random: seededRandom(name), log: silentLog, namespace: 'default' }),
    );
    await drive(clock, Promise.all(keys.map((key) => key.load())));
    const [one, two] = keys.map((key) => key.sign('text'));
    expect(one).toBeDefined();
    expect(two).toEqual(one);
    expect([...(await published()).pemById.keys()]).toEqual([one?.keyId]);
  });

  it.each([
    ['its Secret', '/secrets/bravo-signing-key'],
    ['the public keys', '/configmaps/bravo-signing-keys'],
  ])(
    'is done without where the controller may not read %s: its runs are not signed until it may',
    async (_what, part) => {
      engine.refuse(({ path }) => (path.includes(part) ? 403 : undefined));
      await engine.startController();
      const run = await deploy('db');
      expect(run.status?.signature).toBeUndefined();
      expect(engine.problems).toContain('signing-key.unavailable');
      engine.refuse(undefined);
      await engine.pass(61_000);
      expect(await isSigned(await deploy('later'))).toBe(true);
      expect(runOf('db-deploy-1').status?.signature).toBeUndefined();
    },
  );
});
