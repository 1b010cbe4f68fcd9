import { TerminalError } from '@/lib/errors/errors';
import { chartToPackage } from '@/lib/kudo/charts/chart-to-package';
import { readChart } from '@/lib/kudo/charts/read-chart';
import { type Random, randomInteger } from '@/lib/random/random';
import { chartFiles, TEST_CHARTS } from '../charts/read-test-chart';
import type { FuzzTarget } from './fuzz-target';
import { mutatedText, pick } from './mutate';
import { randomChart } from './random-chart';

function convert(files: ReadonlyMap<string, string>): void {
  const read = readChart(files);
  const result = read.ok ? chartToPackage(read.chart) : read;
  if (result.ok) return;
  if (result.problems.length === 0) throw new Error('the chart is refused without a problem');
  throw new TerminalError(result.problems[0]?.message ?? '', 'ChartInvalid');
}

const CHARTS = TEST_CHARTS.map(chartFiles);

/** A chart as people write them, with some bytes changed in one of its files. */
function changedChart(random: Random): Map<string, string> {
  const files = new Map(CHARTS[randomInteger(random, CHARTS.length)]);
  const [name, ...others] = files.keys();
  if (name === undefined) return files;
  const chosen = pick(random, [name, ...others]);
  return files.set(chosen, mutatedText(files.get(chosen) ?? '', random));
}

/** 10,000 charts. */
export const chartTargets: readonly FuzzTarget[] = [
  { name: 'random', count: 9_950, act: (random) => convert(randomChart(random)) },
  { name: 'changed', count: 50, act: (random) => convert(changedChart(random)) },
];
