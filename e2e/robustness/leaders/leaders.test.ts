import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { Instance } from '@/lib/kudo/types';
import { createInstance } from '@/test/engine/https-engine';
import { allSubjects } from '../crash/subjects';
import { PASS, type ProxiedRequest } from '../proxy/fault';
import { freezeOnce, makeFreezeReference } from './freeze-round';
import { startTwoControllers, type TwoControllers } from './two-controllers';

/** As long as a lease lasts that its holder does not give back. */
const LEASE_MS = 15_000;

const subjectOf = (name: string) => {
  const found = allSubjects().find((subject) => subject.name === name);
  if (found === undefined) throw new Error(`there is no operator ${name}`);
  return found;
};

describe('two controllers, of which the leader is suspended past its lease (C08)', () => {
  let setup: TwoControllers;
  beforeAll(async () => {
    setup = await startTwoControllers(2);
  });
  afterAll(() => setup?.stop());

  it('the other one takes over, and late writes of the resumed one have no effect, 5 times', async () => {
    const subject = subjectOf('again');
    const reference = await makeFreezeReference(setup, subject);
    expect(reference.writes).toBeGreaterThan(15);
    for (const part of [0.15, 0.35, 0.5, 0.7, 0.9]) {
      const atWrite = Math.max(1, Math.floor(reference.writes * part));
      const problems = await freezeOnce(setup, subject, reference, { isAt: (_, nth) => nth === atWrite });
      expect(problems, `frozen at write ${atWrite}`).toEqual([]);
    }
  }, 120_000);

  it('a patch that arrives after a later plan has changed the object does not undo that change', async () => {
    const subject = subjectOf('several');
    const reference = await makeFreezeReference(setup, subject);
    const isAt = ({ method, path }: ProxiedRequest) => method === 'PATCH' && path.endsWith('/configmaps/app-a');
    expect(await freezeOnce(setup, subject, reference, { isAt })).toEqual([]);
  }, 120_000);
});

describe('a controller that receives SIGTERM in the middle of a plan (C07)', () => {
  let setup: TwoControllers;
  beforeAll(async () => {
    setup = await startTwoControllers(undefined);
  });
  afterAll(() => setup?.stop());

  it('releases its lease and exits with 0, and the other one continues long before the lease would end, 3 times', async () => {
    const { engine } = setup;
    const subject = subjectOf('steps');
    for (const atWrite of [2, 7, 12]) {
      await setup.until('a controller leads', () => setup.leader() !== undefined);
      const namespace = await setup.freshNamespace('terminated');
      const [version = ''] = await subject.prepare(engine.api, namespace);
      const leader = setup.leader() ?? setup.contenders[0];
      const other = setup.other(leader);
      let writes = 0;
      let askedAtMs = 0;
      leader.proxy.decide = (request) => {
        if (request.method !== 'GET' && request.path.includes(namespace) && ++writes === atWrite) {
          askedAtMs = performance.now();
          leader.running.child.kill('SIGTERM');
        }
        return PASS;
      };
      let actedAtMs = 0;
      other.proxy.decide = (request) => {
        if (actedAtMs === 0 && request.method !== 'GET' && request.path.includes(namespace))
          actedAtMs = performance.now();
        return PASS;
      };
      await createInstance(engine.api, namespace, 'app', version);
      await setup.until('it received SIGTERM', () => askedAtMs > 0);
      expect((await leader.running.exited()).code).toBe(0);
      await setup.until('the plan is complete', () => statusOf(setup, namespace) === 'COMPLETE');
      // Either it finished the plan while it shut down, or the other one continued it.
      if (actedAtMs > 0) expect(actedAtMs - askedAtMs).toBeLessThan(LEASE_MS / 2);
      await leader.start();
    }
  }, 120_000);
});

function statusOf({ engine }: TwoControllers, namespace: string): string | undefined {
  const instance = engine.sandbox.api.get({ ...INSTANCES, namespace, name: 'app' }) as Instance | undefined;
  return instance?.status?.planStatus?.deploy?.status;
}
