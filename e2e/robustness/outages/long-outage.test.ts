import { afterEach, describe, expect, it } from 'vitest';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { Instance } from '@/lib/kudo/types';
import { seededRandom } from '@/lib/random/random';
import type { ClosableApi } from '@/server/kube/http-api';
import type { Transport } from '@/server/kube/transport';
import { createInstance, createNamespace, patchInstance } from '@/test/engine/https-engine';
import { allSubjects } from '../crash/subjects';
import type { FaultRate } from '../simulation/fault-rate';
import { faultyTransport } from '../simulation/faults';
import { type Simulation, startSimulation } from '../simulation/simulation';
import { breakableNetwork } from './breakable-network';

const MINUTE_MS = 60_000;
const SUBJECT = 'again';
const NO_FAULTS: FaultRate = { percent: 0 };
const POD_DELAY_MS = 3_000;
/** Eighteen watches, each tried again after 1, 2, 4, … 30 s, and the lease every two seconds: in the first minute 3.6. */
const MOST_PER_SECOND = 4;

/** On a virtual clock: how soon a plan continues after an outage, and what a high fault rate costs (R6). */
describe('a controller during an outage of minutes, and while requests keep failing', () => {
  let simulation: Simulation | undefined;
  afterEach(async () => {
    await simulation?.stop();
    simulation = undefined;
  });

  const begin = async (seed = 'noFaults') => {
    const faultRate: FaultRate = { percent: 0 };
    const network = breakableNetwork();
    const random = seededRandom(`faultRate ${seed}`);
    // A request that hangs takes its whole deadline, 15 or 30 s, and a silent watch is noticed after a minute;
    // the tests of the deadlines measure those.
    const onWatch = (inner: Transport) =>
      network.over(faultyTransport(inner, { faultRate, random, clock: made.clock, without: ['hang', 'stalled'] }));
    const made = await startSimulation({ seed: 'outage', faultRate: NO_FAULTS, podDelayMs: POD_DELAY_MS, onWatch });
    simulation = made;
    const { scheduler, sandbox } = made;
    const people: ClosableApi = { ...made.people, close: async () => undefined };
    const seen = new Set<string | undefined>();
    const instance = () => sandbox.api.get({ ...INSTANCES, namespace: 'lab', name: 'app' }) as Instance | undefined;
    const ended = () =>
      Object.values(instance()?.status?.planStatus ?? {}).find(
        ({ status, uid }) => status === 'COMPLETE' && !seen.has(uid),
      );
    await scheduler.drive(createNamespace(people, 'lab'));
    await scheduler.drive(made.startController());
    const change = async (value: string) => {
      if (instance() !== undefined) return patchInstance(people, 'lab', 'app', { parameters: { VALUE: value } });
      const subject = allSubjects().find(({ name }) => name === SUBJECT);
      const [version = ''] = (await subject?.prepare(people, 'lab')) ?? [];
      return createInstance(people, 'lab', 'app', { version, parameters: { VALUE: value } });
    };
    /** The plan of the last change, and the virtual milliseconds until it was complete. */
    const complete = async () => {
      const startedMs = made.clock.now();
      await scheduler.until(() => ended() !== undefined, 60 * MINUTE_MS);
      const uid = ended()?.uid;
      expect(uid, JSON.stringify(instance())).toBeDefined();
      seen.add(uid);
      return { uid, tookMs: made.clock.now() - startedMs };
    };
    const play = <T>(script: () => Promise<T>) => scheduler.drive(script());
    return { ...made, network, faultRate, change, complete, play, running: () => instance()?.spec?.planExecution?.uid };
  };

  for (const minutes of [1, 5, 30]) {
    it(`R6: after ${minutes} min without the API the same plan ends within 3 × its time, and few requests are sent during the outage`, async () => {
      const { play, change, complete, network, scheduler, running } = await begin();
      await play(() => change('one'));
      await play(complete);
      await play(() => change('two'));
      const { tookMs: undisturbedMs } = await play(complete);
      expect(undisturbedMs).toBeGreaterThan(2_000);

      await play(() => change('three'));
      await play(() => scheduler.pass(undisturbedMs / 2));
      const { sent } = network;
      const begun = running();
      expect(begun).toBeDefined();
      network.goDown();
      await play(() => scheduler.pass(minutes * MINUTE_MS));
      const perSecond = (network.sent - sent) / (minutes * 60);
      network.comeBack();
      const { uid, tookMs } = await play(complete);
      expect(uid).toBe(begun);
      expect(tookMs).toBeLessThan(3 * undisturbedMs);
      expect(perSecond).toBeLessThan(MOST_PER_SECOND);
    });
  }

  for (const seed of ['2', '3', '4']) {
    it(`R6: twelve plans while 20 % of the requests fail: ≤ 3 × the time and ≤ 5 × the requests (seed ${seed})`, async () => {
      const { play, change, complete, network, faultRate } = await begin(seed);
      const edits = Array.from({ length: 12 }, (_, index) => `value ${index}`);
      const all = async () => {
        const before = network.sent;
        let tookMs = 0;
        for (const value of edits) {
          await change(value);
          tookMs += (await complete()).tookMs;
        }
        return { tookMs, requests: network.sent - before };
      };
      await play(() => change('first'));
      await play(complete);
      const noFaults = await play(all);
      faultRate.percent = 20;
      const storm = await play(all);
      faultRate.percent = 0;
      expect(storm.tookMs).toBeLessThanOrEqual(3 * noFaults.tookMs);
      expect(storm.requests).toBeLessThanOrEqual(5 * noFaults.requests);
    });
  }
});
