import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Chart, readChart } from '@/lib/kudo/charts/read-chart';
import { projectRoot } from '@/server/runtime/root';

const folder = join(projectRoot, 'test/charts');

/** The charts of this folder, written in the style of widely used ones. */
export const TEST_CHARTS = ['web', 'cache', 'database', 'node-exporter', 'dashboards'] as const;

/** The files of a chart by path. */
export function chartFiles(name: string): Map<string, string> {
  const root = join(folder, name);
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return new Map(paths.map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]));
}

/** A chart of this folder. */
export function testChart(name: string): Chart {
  const read = readChart(chartFiles(name));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.chart;
}
