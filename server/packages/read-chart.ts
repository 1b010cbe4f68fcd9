import { readFile, stat } from 'node:fs/promises';
import { TerminalError } from '@/lib/errors/errors';
import { type Chart, readChart } from '@/lib/kudo/charts/read-chart';
import { limits } from '@/lib/limits/limits';
import { PackageError } from './loaded-package';
import { type ReadBudget, readArchiveFiles } from './read-archive';
import { readFolderBytes } from './read-folder';

/**
 * Reads a Helm chart from a folder or a `.tgz` file. Charts in `charts/` may be packed as well.
 *
 * @throws PackageError with the problems of its files; TerminalError when it cannot be read or exceeds a limit
 */
export async function loadChart(path: string): Promise<Chart> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new TerminalError(`${path}: no such file or folder`, 'PackageNotFound');
  if (!found.isDirectory() && found.size > limits.packageArchiveBytes) {
    throw new TerminalError(`${path} is larger than ${limits.packageArchiveBytes} bytes.`, 'PackageTooLarge');
  }
  const budget = { leftBytes: limits.packageReadBytes };
  const files = found.isDirectory()
    ? await readFolderBytes(path, () => true)
    : await unpacked(await readFile(path), budget);
  return chartOf(files, path, budget);
}

async function chartOf(files: ReadonlyMap<string, Uint8Array>, place: string, budget: ReadBudget): Promise<Chart> {
  const decoder = new TextDecoder();
  const texts = new Map<string, string>();
  for (const [name, content] of await withPackedCharts(files, 0, budget)) texts.set(name, decoder.decode(content));
  const read = readChart(texts);
  if (!read.ok) throw new PackageError(read.problems, place);
  return read.chart;
}

/** The archive of a chart has one folder at its top. */
async function unpacked(archive: Uint8Array, budget: ReadBudget): Promise<Map<string, Uint8Array>> {
  const files = await readArchiveFiles(archive, () => true, budget);
  return new Map([...files].map(([name, content]) => [name.slice(name.indexOf('/') + 1), content]));
}

async function withPackedCharts(
  files: ReadonlyMap<string, Uint8Array>,
  depth: number,
  budget: ReadBudget,
): Promise<Map<string, Uint8Array>> {
  const all = new Map<string, Uint8Array>();
  for (const [name, content] of files) {
    const packed = /^(.*\bcharts\/[^/]+)\.tgz$/.exec(name)?.[1];
    if (packed === undefined || depth >= limits.chartDepth) {
      all.set(name, content);
      continue;
    }
    for (const [below, each] of await withPackedCharts(await unpacked(content, budget), depth + 1, budget))
      all.set(`${packed}/${below}`, each);
    if (all.size > limits.packageFiles) {
      throw new TerminalError(`The chart has more than ${limits.packageFiles} files.`, 'PackageTooLarge');
    }
  }
  return all;
}
