import { afterEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { openConsole, type SimulatedConsole } from '../simulation/console';
import { isCurrent } from '../simulation/copies';
import { type Simulation, startSimulation } from '../simulation/simulation';
import { breakableNetwork } from './breakable-network';

const MINUTE_MS = 60_000;
const NO_FAULTS = { percent: 0 };
/** A stream ends after five minutes and the browser opens the next one: the outage lasts longer than three streams. */
const OUTAGE_MS = 17 * MINUTE_MS;
const CONFIGMAPS = { group: '', version: 'v1', resource: 'configmaps', namespace: 'sim-1' };

const configMap = (name: string, value: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'sim-1' },
  data: { value },
});

describe('a console during a long outage of the API', () => {
  let simulation: Simulation | undefined;
  let screen: SimulatedConsole | undefined;
  afterEach(async () => {
    screen?.close();
    await simulation?.stop();
  });

  it('shows its data as stale since the same moment for the whole outage, and is live and current within seconds afterwards', async () => {
    const network = breakableNetwork();
    const made = await startSimulation({ seed: 'console outage', faultRate: NO_FAULTS, podDelayMs: 1_000 });
    simulation = made;
    const { clock, scheduler, people, sandbox } = made;
    const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'sim-1' } };
    sandbox.api.create({ group: '', version: 'v1', resource: 'namespaces' }, namespace);
    for (const name of ['goes', 'changes', 'stays']) sandbox.api.create(CONFIGMAPS, configMap(name, 'before'));
    const page = openConsole(made, 'outage', NO_FAULTS, network.over);
    screen = page;
    const isLive = () => page.store.connection().staleSinceMs === undefined && page.copies().every(isCurrent);
    const staleSince = () => page.store.connection().staleSinceMs;
    /** Virtual milliseconds until the page is live; at most a minute. */
    const comesAlive = async () => {
      const startMs = clock.now();
      while (!isLive() && clock.now() < startMs + MINUTE_MS) await scheduler.pass(100);
      return clock.now() - startMs;
    };
    const staleTimes: (number | undefined)[] = [];
    await scheduler.drive(
      (async () => {
        await comesAlive();
        page.store.onConnection(() => staleTimes.push(staleSince()));
        const cutMs = clock.now();
        network.goDown();
        await scheduler.pass(10_000);
        expect(staleSince()).toBeGreaterThanOrEqual(cutMs);
        expect(staleSince()).toBeLessThan(cutMs + 5_000);

        await people.delete({ ...CONFIGMAPS, name: 'goes' });
        await people.patch({ ...CONFIGMAPS, name: 'changes' }, 'merge', { data: { value: 'after' } });
        await people.create(CONFIGMAPS, configMap('comes', 'after'));
        await scheduler.pass(OUTAGE_MS);
        expect(page.copies().every(isCurrent)).toBe(false);
        expect(new Set(staleTimes).size, JSON.stringify(staleTimes)).toBe(1);

        network.comeBack();
        expect(await comesAlive()).toBeLessThan(5_000);
        expect(staleTimes.at(-1)).toBeUndefined();
      })(),
    );
  });
});
