import { systemClock } from '@/lib/clock/clock';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { seededRandom, systemRandom } from '@/lib/random/random';
import { plainCluster } from '@/server/kube/credentials';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { type Sandbox, startSandbox } from '@/server/sandbox/sandbox';
import { PASS } from '../proxy/fault';
import { type FaultProxy, startFaultProxy } from '../proxy/fault-proxy';

/** Bravo's client of the API on a virtual clock, over real sockets, through a proxy that does what a test says. */
export interface FaultyClient {
  readonly clock: VirtualClock;
  readonly proxy: FaultProxy;
  /** Through the proxy; its deadlines and pauses are on the virtual clock. */
  readonly api: ClosableApi;
  /** Directly to the server. */
  readonly people: ClosableApi;
  readonly sandbox: Sandbox;
  /** A namespace of its own. */
  namespace(): Promise<string>;
  /**
   * Waits until a condition is true: whenever no request is open the next timer runs. Resolves with the virtual time that passed, in
   * milliseconds.
   */
  until(what: string, isSo: () => boolean | Promise<boolean>, withinMs?: number): Promise<number>;
  stop(): Promise<void>;
}

const TURN_MS = 4;
/** This many turns without an open request mean that nothing happens before a timer runs. */
const QUIET_TURNS = 4;
const REAL_PATIENCE_MS = 60_000;

export async function startFaultyClient(): Promise<FaultyClient> {
  const sandbox = await startSandbox({
    port: 0,
    mode: 'no-controllers',
    podDelayMs: 0,
    clock: systemClock,
    random: systemRandom,
  });
  const proxy = await startFaultProxy({ url: sandbox.url, caPem: sandbox.caPem });
  const clock = new VirtualClock();
  const token = sandbox.adminToken;
  const through = plainCluster({ server: proxy.url, ca: proxy.caPem, token });
  const api = createApi(through, { clock, random: seededRandom('faulty client') });
  const people = createApi(plainCluster({ server: sandbox.url, ca: sandbox.caPem, token }), { clock: systemClock });
  let count = 0;
  return {
    clock,
    proxy,
    api,
    people,
    sandbox,
    async namespace() {
      const name = `faults-${++count}`;
      const target = { group: '', version: 'v1', resource: 'namespaces' };
      await people.create(target, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      proxy.decide = () => PASS;
      return name;
    },
    until: (what, isSo, withinMs) => driveThroughProxy({ clock, proxy }, what, isSo, withinMs),
    async stop() {
      await api.close();
      await people.close();
      await proxy.stop();
      await sandbox.stop();
    },
  };
}

/** Waits until a condition is true; runs the next timer whenever no request is open in the proxy. Returns the virtual time. */
export async function driveThroughProxy(
  { clock, proxy }: { clock: VirtualClock; proxy: FaultProxy },
  what: string,
  isSo: () => boolean | Promise<boolean>,
  withinMs = 10 * 60_000,
): Promise<number> {
  const startedMs = clock.monotonic();
  const endMs = performance.now() + REAL_PATIENCE_MS;
  let quiet = 0;
  let count = proxy.count;
  for (;;) {
    if (await isSo()) return clock.monotonic() - startedMs;
    const passedMs = clock.monotonic() - startedMs;
    if (passedMs > withinMs || performance.now() > endMs) throw new Error(`not within ${passedMs} virtual ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, TURN_MS));
    quiet = proxy.open === 0 && proxy.count === count ? quiet + 1 : 0;
    count = proxy.count;
    if (quiet > QUIET_TURNS) {
      clock.runNext();
      quiet = 0;
    }
  }
}
