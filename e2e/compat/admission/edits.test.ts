import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonEqual, stringAt } from '@/lib/json/json';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { runQueueOf } from '@/lib/kudo/queue/run-queue';
import type { Instance } from '@/lib/kudo/types';
import { CONFIGURATION_NAME, CONFIGURATIONS } from '@/server/webhook/registration';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  getInstance,
  patchInstance,
  startEngine,
} from '@/test/engine/https-engine';
import { VERSIONS } from '@/test/operators/admission-versions';
import { EDITS, type EditCase, type Expected } from './edits';

const NS = 'edits';
const NEW_UID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
const nameOf = (index: number) => `edit-${index}`;

let engine: Engine;

/** A cluster in which the Instance of every case is at the start of the case: its deploy plan has ended, or is in progress. */
async function prepare(options: { webhook: boolean }): Promise<void> {
  engine = await startEngine(options);
  await createNamespace(engine.api, NS);
  for (const spec of Object.values(VERSIONS)) await createOperator(engine.api, NS, 'case', spec);
  const isRegistered = async () =>
    (await engine.api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME })) !== undefined;
  if (options.webhook) await eventually('the webhook is registered', isRegistered);
  await Promise.all(
    EDITS.map(async ({ version, parameters = {} }, index) => {
      await createInstance(engine.api, NS, nameOf(index), { version: `case-${version}`, parameters });
      await eventually(`${nameOf(index)} is ready for its case`, async () => {
        const instance = await getInstance(engine.api, NS, nameOf(index));
        const status = instance?.status?.planStatus?.deploy?.status;
        if (version === 'busy') return status === 'IN_PROGRESS';
        return status === 'COMPLETE' && (instance?.spec?.planExecution?.planName ?? '') === '';
      });
    }),
  );
}

async function read(index: number): Promise<Instance> {
  const instance = await getInstance(engine.api, NS, nameOf(index));
  if (instance === undefined) throw new Error(`Instance ${nameOf(index)} does not exist`);
  return instance;
}

const edit = (index: number, { edit: spec }: EditCase) => patchInstance(engine.api, NS, nameOf(index), spec);
const queueOf = (instance: Instance) => runQueueOf(instance).entries.map(({ plan }) => plan);
const titles = EDITS.map((each, index) => [`${each.id} ${each.version}: ${each.what}`, each, index] as const);

/** Waits until the plan that the edit starts is in progress or has ended, under another uid than before. */
const runsAgain = (index: number, plan: string, before: Instance) =>
  eventually(`plan ${plan} runs`, async () => {
    const status = (await read(index)).status?.planStatus?.[plan];
    const isNew = status?.uid !== undefined && status.uid !== before.status?.planStatus?.[plan]?.uid;
    return isNew && (status.status === 'COMPLETE' || status.status === 'IN_PROGRESS') ? status.uid : undefined;
  });

describe('an edit, with the admission webhook of the controller', () => {
  beforeAll(() => prepare({ webhook: true }));
  afterAll(() => engine?.stop());

  it.each(titles)('%s', async (_title, each, index) => {
    const before = await read(index);
    const { expected } = each;
    if ('denied' in expected) {
      await expect(edit(index, each)).rejects.toMatchObject({
        cause: { code: 403, reason: expect.stringContaining(expected.denied) },
      });
      expect((await read(index)).spec).toEqual(before.spec);
      return;
    }
    const after = (await edit(index, each)) as Instance;
    if ('stored' in expected) {
      expect(after.spec?.planExecution?.uid).toBe(before.spec?.planExecution?.uid);
      return;
    }
    if ('queues' in expected) {
      expect(after.spec?.planExecution?.uid).toBe(before.spec?.planExecution?.uid);
      expect(queueOf(after)).toEqual([expected.queues]);
      return;
    }
    if (expected.next !== undefined) expect(queueOf(after)).toEqual([expected.next]);
    const uid = stringAt(after, 'spec', 'planExecution', 'uid') ?? '';
    expect(after.spec?.planExecution).toEqual({ planName: expected.runs, uid, status: 'NEVER_RUN' });
    expect(uid).toMatch(NEW_UID);
    expect(await runsAgain(index, expected.runs, before)).toBe(uid);
    if (each.id === 'ADM-50') expect(after.spec?.parameters).toEqual({});
    if (expected.next !== undefined) await runsAgain(index, expected.next, before);
  });

  it('T-17 the webhook refused no write of the controller', async () => {
    await engine.stopController();
    const { items } = await engine.api.list({ group: '', version: 'v1', resource: 'events', namespace: NS });
    expect(items.filter(({ reason }) => reason === 'ChangeRefused')).toEqual([]);
  });
});

describe('the same edit, decided by the controller because the API called no webhook', () => {
  beforeAll(() => prepare({ webhook: false }));
  afterAll(() => engine?.stop());

  const refusal = (index: number, words: string) =>
    eventually(`the edit is refused with ${words}`, async () => {
      const { items } = await engine.api.list({ group: '', version: 'v1', resource: 'events', namespace: NS });
      return items.find(
        (event) =>
          event.reason === 'ChangeRefused' &&
          stringAt(event, 'involvedObject', 'name') === nameOf(index) &&
          String(event.message).includes(words),
      );
    });

  const settled = (index: number) =>
    eventually('the controller has acted upon the edit', async () => {
      const instance = await read(index);
      return jsonEqual(actedUpon(instance)?.parameters, instance.spec?.parameters ?? {});
    });

  it.each(titles)('%s', async (_title, each, index) => {
    const before = await read(index);
    await edit(index, each);
    const expected: Expected | 'waits' = each.withoutWebhook ?? each.expected;
    if (expected === 'waits') {
      const now = await read(index);
      expect(now.spec?.planExecution?.uid).toBe(before.spec?.planExecution?.uid);
      expect(now.status?.planStatus?.deploy?.status).toBe('IN_PROGRESS');
    } else if ('queues' in expected) {
      const now = await eventually('the plan waits', async () => {
        const instance = await read(index);
        return queueOf(instance).includes(expected.queues) ? instance : undefined;
      });
      const { planName, uid } = before.spec?.planExecution ?? {};
      expect(now.spec?.planExecution).toMatchObject({ planName, uid });
    } else if ('denied' in expected) {
      await refusal(index, expected.denied);
      expect((await read(index)).status?.planStatus?.deploy?.uid).toBe(before.status?.planStatus?.deploy?.uid);
    } else if ('stored' in expected) {
      await settled(index);
      expect((await read(index)).spec?.planExecution?.uid).toBe(before.spec?.planExecution?.uid);
    } else {
      await runsAgain(index, expected.runs, before);
      if (expected.next !== undefined) await runsAgain(index, expected.next, before);
      if (each.id === 'ADM-50') expect((await read(index)).spec?.parameters).toEqual({});
    }
  });
});
