import { VirtualClock } from '@/lib/clock/virtual-clock';
import { seededRandom } from '@/lib/random/random';
import { plainCluster } from '@/server/kube/credentials';
import { createApi } from '@/server/kube/http-api';
import { installCrds } from '@/server/kube/install-crds';
import { startSandbox } from '@/server/sandbox/sandbox';
import { type LogRecord, memoryLog, type StoreLog } from '@/server/sandbox/store/log';
import { loadSecrets, type Secrets } from '@/server/sandbox/tls/secrets';
import { directTransport } from './direct-transport';
import { Scheduler } from './scheduler';

/** A cluster with Bravo's CRDs only, at the moment when nothing changes any more. */
export interface FreshCluster {
  /** Made once: generating the keys takes longer than a run. */
  readonly secrets: Secrets;
  /** Virtual wall time. */
  readonly startMs: number;
  /** A log that holds the cluster's objects and forgets what is written later. */
  log(): StoreLog;
}

/** The time in which the controllers of a new sandbox finish their first work. */
const SETTLE_MS = 5_000;

let made: Promise<FreshCluster> | undefined;

/** The state with which every simulation starts. It is created once, by the sandbox and `installCrds`, and is always the same. */
export function freshCluster(): Promise<FreshCluster> {
  made ??= makeCluster();
  return made;
}

async function makeCluster(): Promise<FreshCluster> {
  const clock = new VirtualClock();
  const scheduler = new Scheduler(clock);
  const random = seededRandom('a fresh cluster');
  const secrets = loadSecrets(undefined, clock, seededRandom('secrets'));
  const { log, records } = recordingLog();
  const sandbox = await startSandbox({ port: 'none', mode: 'full', podDelayMs: 1_000, clock, random, secrets, log });
  const api = createApi(plainCluster({ server: sandbox.url, token: sandbox.adminToken }), {
    clock,
    random,
    transport: directTransport(sandbox),
  });
  await scheduler.drive(installCrds(api, clock).then(() => scheduler.pass(SETTLE_MS)));
  await sandbox.stop();
  const kept = [...records.values()];
  const revision = Math.max(...kept.map((record) => record.revision));
  const lastRevisionByResource = new Map(kept.map(({ resource }) => [resource, revision]));
  const contents = { revision, records: kept, lastRevisionByResource };
  return { secrets, startMs: clock.now(), log: () => ({ ...memoryLog(), load: () => contents }) };
}

function recordingLog(): { log: StoreLog; records: ReadonlyMap<string, LogRecord> } {
  const records = new Map<string, LogRecord>();
  const log: StoreLog = {
    ...memoryLog(),
    append(writes) {
      for (const { body, ...place } of writes) {
        const id = `${place.resource} ${place.key}`;
        if (body === undefined) records.delete(id);
        else records.set(id, { ...place, body });
      }
    },
  };
  return { log, records };
}
