import { type Browser, chromium } from 'playwright';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { Instance } from '@/lib/kudo/types';
import type { Api } from '@/server/kube/api';
import { chromiumArgs, findChromium } from '@/test/programs/chromium.mjs';
import { startConsoleProcess } from '@/test/programs/console-process';
import { type Figure, figure, percentile } from '../figure';
import { rssMb } from '../reconcile/processes';
import { type Moment, openPage } from './open-page';
import { hugeRun, RUNS_AN_INSTANCE, writeRun } from './seed-runs';

const COLD = 3;
const WARM = 3;
const HUGE = 7;

/**
 * The list of all runs, on consoles that have just been started and on one where somebody has read it; then the page of a run with a
 * thousand steps, which is written for it. Times are those of the page.
 *
 * @param instances each has a hundred runs
 */
export async function measurePages(
  { api, kubeconfig }: { readonly api: Api; readonly kubeconfig: string },
  instances: readonly Instance[],
): Promise<Figure[]> {
  const [instance] = instances;
  if (instance === undefined) throw new Error('There is no Instance.');
  const { run, status } = hugeRun(instance, 1);
  const list = listMoments(instances.length * RUNS_AN_INSTANCE);
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: [...chromiumArgs] });
  const start = async () => {
    const console = await startConsoleProcess({ KUBECONFIG: kubeconfig, BRAVO_CONTROLLER: 'off' });
    // A page that reads no runs: the console loads its own code with the first page.
    await openPage(browser, `${console.base}/operators`, [{ selector: 'main h1' }]);
    return console;
  };
  try {
    const cold: number[][] = [];
    for (let round = 1; round < COLD; round++) {
      const console = await start();
      cold.push(await openPage(browser, `${console.base}/runs`, list));
      await console.running.stop();
    }
    const console = await start();
    try {
      const emptyMb = rssMb(console.running.child.pid);
      cold.push(await openPage(browser, `${console.base}/runs`, list));
      const warm = await several(WARM, () => openPage(browser, `${console.base}/runs`, list));
      const grownMb = rssMb(console.running.child.pid) - emptyMb;
      await writeRun(api, run, status);
      const path = `/instances/${namespaceOf(run)}/${nameOf(instance)}/runs/${nameOf(run)}`;
      return [
        ...listFigures('cold', cold),
        ...listFigures('warm', warm),
        { name: 'console-rss-for-runs-mb', value: Math.round(grownMb), unit: 'MB' },
        ...(await hugePage(browser, console.base + path)),
      ];
    } finally {
      await console.running.stop();
    }
  } finally {
    await browser.close();
  }
}

function listMoments(runs: number): readonly Moment[] {
  return [{ selector: 'tr[data-run]' }, { selector: 'table', attribute: { name: 'aria-rowcount', atLeast: runs + 1 } }];
}

function listFigures(name: string, times: readonly (readonly number[])[]): Figure[] {
  return [
    figure(`runs-${name}-first-rows-ms`, median(times, 0), 'ms', { atMost: 1_000 }),
    { name: `runs-${name}-all-rows-ms`, value: Math.round(median(times, 1)), unit: 'ms' },
  ];
}

/** Of the page of a run with a thousand steps: its tree, and when it is live. The first one, until it knows the other runs, is not counted. */
async function hugePage(browser: Browser, address: string): Promise<Figure[]> {
  const moments: readonly Moment[] = [
    { selector: 'ul[aria-label="Phases and steps"] li[data-step]' },
    { selector: '[data-connection="live"]' },
  ];
  await openPage(browser, address, [{ selector: 'button[aria-label="Compare with another run"]' }]);
  const times = await several(HUGE, () => openPage(browser, address, moments));
  return [
    figure('run-of-1000-steps-visible-ms', median(times, 0), 'ms', { atMost: 300 }),
    { name: 'run-of-1000-steps-live-ms', value: Math.round(median(times, 1)), unit: 'ms' },
  ];
}

function median(times: readonly (readonly number[])[], at: number): number {
  return percentile(
    times.map((each) => each[at] ?? Number.NaN),
    50,
  );
}

async function several<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let round = 0; round < count; round++) results.push(await work());
  return results;
}
