import { OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { SELF_HEAL_ANNOTATION } from '@/lib/kudo/names';
import { type Figure, figure, percentile } from './figure';
import { cpuMs, type Processes, rssMb, startProcesses } from './reconcile/processes';
import { createInstances, installOperator, NAMESPACE, namesOf, Observer } from './reconcile/work';

const AT_REST = 1_000;
const REST_MS = 60_000;
const REPAIRS = 20;

/**
 * A thousand idle Instances with self-heal on and six objects each: what the controller uses while nothing happens, how
 * long a deleted object is missing, and what a start costs that must find out what happened before.
 */
export async function run(): Promise<Figure[]> {
  const processes = await startProcesses();
  const observer = new Observer(processes.api);
  try {
    const operatorVersion = await installOperator(processes.api);
    const metadata = { annotations: { [SELF_HEAL_ANNOTATION]: 'on' } };
    const target = { ...OPERATOR_VERSIONS, namespace: NAMESPACE, name: operatorVersion };
    await processes.api.patch(target, 'merge', { metadata });
    await observer.synced;
    const emptyMb = rssMb(processes.controller().child.pid);
    const names = namesOf('healed-', AT_REST);
    const all = observer.complete(names);
    await createInstances(processes.api, operatorVersion, names);
    await all;
    await quiet(processes);
    return [
      ...(await atRest(processes, emptyMb)),
      ...(await repairs(processes, observer, names)),
      ...(await afterRestart(processes, observer, names)),
    ];
  } finally {
    await observer.stop();
    await processes.stop();
  }
}

async function atRest(processes: Processes, emptyMb: number): Promise<Figure[]> {
  const { pid } = processes.controller().child;
  const before = { cpu: cpuMs(pid), counts: await processes.counts(), at: performance.now() };
  await pause(REST_MS);
  const counts = await processes.counts();
  const seconds = (performance.now() - before.at) / 1_000;
  return [
    figure('self-heal-idle-cpu-percent', (cpuMs(pid) - before.cpu) / (10 * seconds), '%', { atMost: 1 }),
    figure('self-heal-idle-requests-per-s', (counts.requests - before.counts.requests) / seconds, '/s', { atMost: 1 }),
    { name: 'self-heal-memory-per-instance', value: (rssMb(pid) - emptyMb) / AT_REST, unit: 'MB' },
  ];
}

async function repairs({ api }: Processes, observer: Observer, names: readonly string[]): Promise<Figure[]> {
  const times: number[] = [];
  for (const name of names.slice(0, REPAIRS)) {
    const startedAt = await removed(api, observer, name);
    times.push((await observer.firstObject(name, 'v0')) - startedAt);
  }
  return [figure('self-heal-repair-p50', percentile(times, 50), 'ms', { atMost: 1_000 })];
}

/** The controller is killed, an object of the last Instance is deleted, a controller is started. */
async function afterRestart(processes: Processes, observer: Observer, names: readonly string[]): Promise<Figure[]> {
  const last = names.at(-1) ?? '';
  await processes.killController();
  const startedAt = await removed(processes.api, observer, last);
  const { pid } = processes.startController().child;
  const value = (await observer.firstObject(last, 'v0')) - startedAt;
  await quiet(processes);
  return [
    { name: 'self-heal-restart-to-repair', value, unit: 'ms' },
    { name: 'self-heal-restart-cpu', value: cpuMs(pid), unit: 'ms' },
  ];
}

/** Deletes an object and returns the time at which this process saw its deletion. */
async function removed(api: Processes['api'], observer: Observer, name: string): Promise<number> {
  const deleted = observer.deleted(name);
  await api.delete({ group: '', version: 'v1', resource: 'configmaps', namespace: NAMESPACE, name: `${name}-1a` });
  return deleted;
}

/** Waits until the API receives no requests. */
async function quiet({ counts }: Processes): Promise<void> {
  for (let second = 0; second < 180; second++) {
    const before = await counts();
    await pause(2_000);
    if ((await counts()).requests - before.requests <= 2) return;
  }
  throw new Error('six minutes after the last plan the API still receives requests');
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
