import { type Figure, figure, percentile } from './figure';
import { cpuMs, type Processes, rssMb, startProcesses } from './reconcile/processes';
import { createInstances, fetchInstance, installOperator, namesOf, Observer, setValue } from './reconcile/work';

const BURST = 300;
const EDITS = 20;
const AT_REST = 1_000;
const REST_MS = 30_000;

interface Bench {
  readonly processes: Processes;
  readonly observer: Observer;
  readonly operatorVersion: string;
}

/**
 * Plans of three serial steps with two ConfigMaps each, on `bin/bravo sandbox` and `bin/bravo controller` as processes of their
 * own: many at once, one edit at rest and behind many, a restart after SIGKILL, and a thousand Instances at rest. Requests are
 * counted by the sandbox, processor time and memory by the operating system. Times are what a client's watch sees.
 */
export async function run(): Promise<Figure[]> {
  const processes = await startProcesses();
  const observer = new Observer(processes.api);
  try {
    const operatorVersion = await installOperator(processes.api);
    await observer.synced;
    await pause(1_500);
    const bench = { processes, observer, operatorVersion };
    const emptyMb = rssMb(processes.controller().child.pid);
    return [
      ...(await manyAtOnce(bench)),
      ...(await editsAtRest(bench)),
      ...(await editBehind(bench, 100)),
      ...(await editBehind(bench, BURST)),
      ...(await atRest(bench, emptyMb)),
      ...(await restart(bench)),
    ];
  } finally {
    await observer.stop();
    await processes.stop();
  }
}

async function manyAtOnce(bench: Bench): Promise<Figure[]> {
  const { processes, observer } = bench;
  const { pid } = processes.controller().child;
  const names = namesOf('burst-', BURST);
  const before = { cpu: cpuMs(pid), sandboxCpu: cpuMs(processes.sandbox.child.pid), counts: await processes.counts() };
  const startedAt = performance.now();
  const completed = observer.complete(names);
  await createInstances(processes.api, bench.operatorVersion, names);
  const seconds = ((await completed) - startedAt) / 1_000;
  await quiet(processes);
  const after = await processes.counts();
  const requests = after.requests - before.counts.requests;
  const writes = after.writes - before.counts.writes;
  if (observer.objects !== 6 * BURST) throw new Error(`${observer.objects} ConfigMaps, ${6 * BURST} wanted`);
  return [
    figure('plans-per-s', BURST / seconds, '/s', { atLeast: 60 }),
    figure('requests-per-plan', requests / BURST, '', { atMost: 17 }),
    figure('cpu-per-plan', (cpuMs(pid) - before.cpu) / BURST, 'ms', { atMost: 15 }),
    {
      name: 'sandbox-cpu-per-plan',
      value: (cpuMs(processes.sandbox.child.pid) - before.sandboxCpu) / BURST,
      unit: 'ms',
    },
    { name: 'writes-per-commit', value: writes / (after.commits - before.counts.commits), unit: '' },
  ];
}

async function editsAtRest(bench: Bench): Promise<Figure[]> {
  const { api, counts } = bench.processes;
  const name = await oneMore(bench, 'edited');
  const firstMs: number[] = [];
  const completeMs: number[] = [];
  const before = await counts();
  for (let edit = 0; edit < EDITS; edit++) {
    await pause(1_000);
    const value = `edit-${edit}`;
    await fetchInstance(api, name);
    const first = bench.observer.firstObject(name, value);
    const startedAt = performance.now();
    await setValue(api, name, value);
    firstMs.push((await first) - startedAt);
    completeMs.push((await bench.observer.complete([name], value)) - startedAt);
  }
  await pause(500);
  const requests = (await counts()).requests - before.requests;
  return [
    figure('edit-to-first-object-p50', percentile(firstMs, 50), 'ms', { atMost: 15 }),
    figure('edit-to-first-object-p95', percentile(firstMs, 95), 'ms', { atMost: 25 }),
    figure('edit-to-complete-p50', percentile(completeMs, 50), 'ms', { atMost: 45 }),
    figure('edit-to-complete-p95', percentile(completeMs, 95), 'ms', { atMost: 80 }),
    figure('requests-per-edit', requests / EDITS, '', { atMost: 14 }),
  ];
}

/** How long one edit takes to its first object while this many new Instances wait for their first plan. */
async function editBehind(bench: Bench, count: number): Promise<Figure[]> {
  const { api } = bench.processes;
  const name = await oneMore(bench, `behind-${count}`);
  const names = namesOf(`crowd-${count}-`, count);
  const all = bench.observer.complete(names);
  await createInstances(api, bench.operatorVersion, names);
  const first = bench.observer.firstObject(name, 'edited');
  const startedAt = performance.now();
  await setValue(api, name, 'edited');
  const value = (await first) - startedAt;
  await all;
  return [figure(`edit-behind-${count}-first-object-ms`, value, 'ms', { atMost: 500 })];
}

/** The controller is killed, an Instance is edited meanwhile, a controller is started. */
async function restart(bench: Bench): Promise<Figure[]> {
  const { processes } = bench;
  const name = await oneMore(bench, 'restart');
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const value = `after-restart-${round}`;
    await processes.killController();
    const startedAt = performance.now();
    const first = bench.observer.firstObject(name, value);
    await setValue(processes.api, name, value);
    processes.startController();
    times.push((await first) - startedAt);
    await bench.observer.complete([name], value);
  }
  return [figure('restart-to-first-object-ms', percentile(times, 50), 'ms', { atMost: 1_000 })];
}

async function atRest(bench: Bench, emptyMb: number): Promise<Figure[]> {
  const { processes, observer } = bench;
  const missing = AT_REST - BURST - 100 - BURST - 3;
  const names = namesOf('rest-', missing);
  const all = observer.complete(names);
  await createInstances(processes.api, bench.operatorVersion, names);
  await all;
  await quiet(processes);
  const { pid } = processes.controller().child;
  const before = { cpu: cpuMs(pid), counts: await processes.counts(), at: performance.now() };
  await pause(REST_MS);
  const counts = await processes.counts();
  const seconds = (performance.now() - before.at) / 1_000;
  const percent = (cpuMs(pid) - before.cpu) / (10 * seconds);
  // The request for the counts is one itself.
  const requests = counts.requests - before.counts.requests;
  return [
    figure('idle-cpu-percent', percent, '%', { atMost: 1 }),
    figure('idle-requests-per-s', requests / seconds, '/s', { atMost: 1 }),
    figure('memory-per-instance', (rssMb(pid) - emptyMb) / AT_REST, 'MB', { atMost: 0.1 }),
  ];
}

/** A separate Instance that has finished its first plan and is idle. */
async function oneMore(bench: Bench, name: string): Promise<string> {
  const done = bench.observer.complete([name]);
  await createInstances(bench.processes.api, bench.operatorVersion, [name]);
  await done;
  await pause(2_000);
  return name;
}

/** Waits until the API receives no requests: events follow the plans, one after the other, and are late on a busy machine. */
async function quiet({ counts }: Processes): Promise<void> {
  for (let second = 0; second < 120; second++) {
    const before = await counts();
    await pause(1_000);
    if ((await counts()).requests - before.requests <= 1) return;
  }
  throw new Error('two minutes after the last plan the API still receives requests');
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
