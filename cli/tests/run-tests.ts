import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { systemClock } from '@/lib/clock/clock';
import type { ReportedRun } from '@/lib/harness/report';
import type { TestSuite } from '@/lib/harness/suite';
import { writeReport } from '@/lib/harness/write-report';
import { limits } from '@/lib/limits/limits';
import { systemRandom } from '@/lib/random/random';
import { findCases } from '@/server/harness/find-cases';
import type { Harness } from '@/server/harness/harness';
import { isCaseFailed, runSuite } from '@/server/harness/run-suite';
import { unpackTests } from '@/server/harness/unpack-archive';
import { createDownload } from '@/server/packages/download';
import { productVersion } from '@/server/runtime/root';
import { keepAlive } from '../support/keep-alive';
import { printLine } from '../support/print-line';
import { makeLaunchers } from './launchers';
import { chooseSuite, readTemplateVars, type TestFlags } from './suite-flags';
import { openTestCluster, type SuiteCluster } from './test-cluster';

/** The flags of the program that matter here. */
export interface ClusterFlags extends TestFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Runs a suite once. Resolves with whether everything passed. @throws the signal's reason after an interrupt */
export async function runTests(words: readonly string[], flags: ClusterFlags, signal: AbortSignal): Promise<boolean> {
  const { suite, notes } = await chooseSuite(words, flags);
  for (const note of notes) printLine(note);
  const templateVars = readTemplateVars(flags.templateVar ?? []);
  const scratch = await mkdtemp(join(tmpdir(), 'bravo-suite-'));
  const alive = keepAlive();
  let cluster: SuiteCluster | undefined;
  try {
    const directories = await findCases(suite.testDirs, {
      folder: process.cwd(),
      pattern: flags.test ?? '',
      unpack: async (url) => unpackTests(url, await fetchBytes(url), await mkdtemp(join(scratch, 'tests-'))),
    });
    const launchers = join(scratch, 'bin');
    await makeLaunchers(launchers, process.env.PATH ?? '');
    cluster = await openTestCluster(suite, flags, scratch);
    const harness: Harness = {
      suite: cluster.cannotDelete && flags.skipDelete === undefined ? { ...suite, skipDelete: true } : suite,
      cluster: cluster.cluster,
      openCluster: cluster.open,
      pace: cluster.pace,
      random: systemRandom,
      environment: process.env,
      launchers: [launchers],
      folder: process.cwd(),
      templateVars,
      fetchText,
      print: printLine,
      signal,
    };
    const run = await runSuite(harness, directories);
    await report(run, suite);
    return summarise(run);
  } finally {
    await cluster?.stop();
    alive.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

function fetchBytes(url: string, maxBytes: number = limits.packageArchiveBytes): Promise<Uint8Array> {
  const download = createDownload(`bravo/${productVersion}`, 'proxy');
  return download(url, { clock: systemClock, maxBytes });
}

/** The text at a URL that a TestStep names. */
async function fetchText(url: string): Promise<string> {
  return new TextDecoder().decode(await fetchBytes(url, limits.yamlBytes));
}

async function report(run: ReportedRun, suite: TestSuite): Promise<void> {
  const { reportFormat: format } = suite;
  if (format === undefined) return;
  const folder = resolve(suite.artifactsDir);
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${suite.reportName}.${format}`);
  await writeFile(file, writeReport(run, format, suite.reportGranularity));
  printLine(`The report is in ${file}`);
}

/** Prints what failed and the counts; true when everything passed. */
function summarise(run: ReportedRun): boolean {
  if (run.setupFailure !== undefined) {
    printLine(`The suite could not be prepared: ${run.setupFailure}`);
    return false;
  }
  const cases = run.directories.flatMap((directory) => directory.cases);
  const failed = cases.filter(isCaseFailed);
  for (const { name, steps } of failed) {
    const failure = steps.find((step) => step.failure !== undefined)?.failure;
    printLine(`${name}: ${failure?.message ?? ''}`);
    for (const error of failure?.errors ?? []) printLine(indent(error.split('\n')[0] ?? ''));
  }
  printLine(`${cases.length - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0;
}

function indent(line: string): string {
  return `    ${line}`;
}
