import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { decisionProof, requestProof } from '@/lib/kudo/approvals/approval-proof';
import { APPROVAL_ANNOTATION, PLAN_APPROVALS, type PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { saying, wiping } from '@/test/operators/destructive-operator';

const MINUTE_MS = 60_000;

let engine: VirtualEngine;
let lab: Lab;

beforeEach(async () => {
  engine = await startVirtualEngine();
  lab = await Lab.open(engine, 'approving');
  await engine.startController();
  await lab.deploy('db', wiping());
  await lab.patch('operatorversions', 'db-1', { metadata: { annotations: saying({ wipe: { approval: true } }) } });
});
afterEach(() => engine?.stop());

const trigger = (uid: string, annotations: JsonObject = {}) =>
  lab.patch('instances', 'db', { metadata: { annotations }, spec: { planExecution: { planName: 'wipe', uid } } });
const messages = () =>
  lab.events('db').flatMap((event) => (event.reason === 'ChangeRefused' ? [String(event.message)] : []));
const target = { ...PLAN_APPROVALS, namespace: 'approving' };

async function create(name: string): Promise<void> {
  await engine.run(
    engine.people.create(target, {
      apiVersion: 'bravo.kudo.dev/v1alpha1',
      kind: 'PlanApproval',
      metadata: { name, namespace: 'approving' },
      spec: { instanceName: 'db', plan: 'wipe', requestedBy: 'alice', requestedAt: '2026-01-01T00:00:00Z' },
    }),
  );
}
const setStatus = (name: string, status: JsonObject) =>
  engine.run(engine.people.patch({ ...target, name }, 'merge', { status }, { subresource: 'status' }));

describe('a controller without a webhook', () => {
  it('takes the start of a plan back that nobody approved, and says how to ask', async () => {
    await trigger('w1');
    await engine.pass(MINUTE_MS);
    expect(lab.instance('db').spec?.planExecution ?? {}).toEqual({});
    expect(lab.find('configmaps', 'db-wiped')).toBeUndefined();
    expect(messages()).toEqual([
      expect.stringContaining('plan "wipe" cannot start. It needs the approval of a second person'),
    ]);
  });

  it('leaves an edit that starts it', async () => {
    await lab.patch('instances', 'db', { spec: { parameters: { FROM: 'monday' } } });
    await engine.pass(MINUTE_MS);
    expect(lab.find('configmaps', 'db-wiped')).toBeUndefined();
    expect(lab.ready('db')).toMatchObject({ reason: 'ChangeRefused' });
  });

  it('uses up no approval with the start of another plan', async () => {
    await create('a1');
    const planExecution = { planName: 'deploy', uid: 'd2' };
    await lab.patch('instances', 'db', {
      metadata: { annotations: { [APPROVAL_ANNOTATION]: 'a1' } },
      spec: { planExecution },
    });
    await lab.run('db-deploy-2', 'COMPLETE');
    const approval = (await engine.run(engine.people.get({ ...target, name: 'a1' }))) as PlanApproval;
    expect(approval.status?.usedBy).toBeUndefined();
    expect(actedUpon(lab.instance('db'))).toMatchObject({ plan: 'deploy', uid: 'd2' });
    expect(actedUpon(lab.instance('db'))?.origin).not.toHaveProperty('approval');
    expect(lab.instance('db').metadata.annotations).not.toHaveProperty([APPROVAL_ANNOTATION]);
  });

  it('believes no approval that a person has written, also with proofs of another key', async () => {
    await create('a1');
    await setStatus('a1', { approvedBy: 'bob', approvedAt: '2026-01-01T00:00:00Z' });
    await trigger('w1', { [APPROVAL_ANNOTATION]: 'a1' });
    await engine.pass(MINUTE_MS);
    const approval = (await engine.run(engine.people.get({ ...target, name: 'a1' }))) as PlanApproval;
    const key = fingerprinter(new Uint8Array(32));
    expect(requestProof(approval, key)).not.toBe('');
    await setStatus('a1', { proof: decisionProof(approval, key) });
    await trigger('w2', { [APPROVAL_ANNOTATION]: 'a1' });
    await engine.pass(MINUTE_MS);
    expect(lab.find('configmaps', 'db-wiped')).toBeUndefined();
    const words = 'PlanApproval a1 does not count: no admission webhook has seen who asked for it';
    expect(messages().every((message) => message.includes(words))).toBe(true);
    expect(lab.runs('db').map(({ metadata }) => metadata.name)).toEqual(['db-deploy-1']);
  });
});
