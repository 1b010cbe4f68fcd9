import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import { TerminalError } from '@/lib/errors/errors';
import { readSourceObjects } from '@/lib/harness/source-object';
import { DEFAULT_SUITE, type ReportFormat, readTestSuite, type TestSuite } from '@/lib/harness/suite';
import { parseRunLabels } from '@/lib/harness/test-file';
import type { JsonObject } from '@/lib/json/json';
import { readYaml } from '@/lib/yaml/yaml';
import { readSuiteText } from '@/server/harness/read-texts';

/** The flags of `bravo test`, as they are given. */
export interface TestFlags {
  readonly config?: string;
  readonly crdDir?: string;
  readonly manifestDir?: readonly string[];
  readonly test?: string;
  readonly startControlPlane?: boolean;
  readonly startKind?: boolean;
  readonly kindConfig?: string;
  readonly kindContext?: string;
  readonly artifactsDir?: string;
  readonly report?: string;
  readonly reportName?: string;
  readonly reportGranularity?: string;
  readonly skipDelete?: boolean;
  readonly skipClusterDelete?: boolean;
  readonly parallel?: string;
  readonly timeout?: string;
  readonly suppressLog?: readonly string[];
  readonly testRunLabels?: string;
  readonly templateVar?: readonly string[];
  readonly sandbox?: boolean;
  readonly pods?: boolean;
  readonly podDelay?: string;
  readonly watch?: boolean;
  readonly namespace?: string;
}

const CONFIG_FILES = ['kudo-test.yaml', 'kuttl-test.yaml'];

/** A suite with the flags applied, and the file that it was read from. */
export interface ChosenSuite {
  readonly suite: TestSuite;
  readonly file: string | undefined;
  readonly notes: readonly string[];
}

/**
 * The suite that the command line names: `--config`, else the file among the words, else kudo-test.yaml or kuttl-test.yaml.
 * Flags win over the file, folders among the words over its `testDirs`.
 *
 * @throws TerminalError
 */
export async function chooseSuite(words: readonly string[], flags: TestFlags): Promise<ChosenSuite> {
  const { files, folders } = await sortWords(words);
  const named = flags.config ?? files[0];
  if (files.length > 1 || (flags.config !== undefined && files.length > 0)) {
    throw new TerminalError(`Only one file of a suite can be run at once: ${files.join(', ')}.`, 'InvalidArguments');
  }
  const file = named ?? (await firstExisting(CONFIG_FILES));
  if (file === undefined && folders.length === 0) {
    throw new TerminalError(
      'kudo-test.yaml not found, provide either --config or arguments indicating the tests to load',
      'NoSuite',
    );
  }
  const read = file === undefined ? undefined : readTestSuite(readSourceObjects(file, await readSuiteText(file)));
  const written = read?.suite ?? DEFAULT_SUITE;
  const home = file === undefined ? process.cwd() : dirname(resolve(file));
  // As in KUTTL, paths begin in the working directory; those of a file that was named alone may begin beside it.
  const isBeside = flags.config === undefined && files.length > 0;
  const place = (path: string) => placeOf(path, home, isBeside);
  const suite = withFlags(
    {
      ...written,
      crdDir: written.crdDir === '' ? '' : await place(written.crdDir),
      kindConfig: written.kindConfig === '' ? '' : await place(written.kindConfig),
      manifestDirs: await Promise.all(written.manifestDirs.map(place)),
      testDirs: folders.length > 0 ? folders : await Promise.all(written.testDirs.map(place)),
    },
    flags,
  );
  if (suite.testDirs.length === 0) {
    throw new TerminalError(
      'no test directories provided, please provide either --config or test directories on the command line',
      'NoTestDirectories',
    );
  }
  return { suite, file, notes: read?.ignored ?? [] };
}

async function sortWords(words: readonly string[]): Promise<{ files: string[]; folders: string[] }> {
  const [files, folders]: [string[], string[]] = [[], []];
  for (const word of words) {
    const found = /^https?:\/\//.test(word) ? undefined : await stat(word).catch(() => undefined);
    if (found?.isFile() === true) files.push(word);
    else folders.push(word);
  }
  return { files, folders };
}

async function firstExisting(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await exists(path)) return path;
  return undefined;
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function placeOf(path: string, home: string, isBeside: boolean): Promise<string> {
  if (isAbsolute(path) || /^https?:\/\//.test(path)) return path;
  const beside = resolve(home, path);
  if (isBeside) return beside;
  return !(await exists(path)) && (await exists(beside)) ? beside : path;
}

/** @throws TerminalError for a flag that is not what it has to be */
function withFlags(suite: TestSuite, flags: TestFlags): TestSuite {
  if (flags.startControlPlane === true && flags.startKind === true) {
    throw refused('only one of --start-control-plane and --start-kind can be set');
  }
  const labels = parseRunLabels(flags.testRunLabels ?? '');
  if (typeof labels === 'string') throw refused(labels);
  const { reportGranularity: granularity = suite.reportGranularity } = flags;
  if (granularity !== 'step' && granularity !== 'test') throw refused('--report-granularity must be step or test');
  if (flags.namespace === '') throw refused('--namespace must not be empty');
  return {
    ...suite,
    crdDir: flags.crdDir ?? suite.crdDir,
    manifestDirs: flags.manifestDir ?? suite.manifestDirs,
    ...clusterToStart(suite, flags),
    skipDelete: flags.skipDelete ?? suite.skipDelete,
    timeout: flags.timeout === undefined ? suite.timeout : wholeNumber('--timeout', flags.timeout, 0),
    parallel: flags.parallel === undefined ? suite.parallel : wholeNumber('--parallel', flags.parallel, 1),
    artifactsDir: flags.artifactsDir ?? suite.artifactsDir,
    reportFormat: flags.report === undefined ? suite.reportFormat : reportFormat(flags.report),
    reportName: flags.reportName ?? suite.reportName,
    reportGranularity: granularity,
    namespace: flags.namespace ?? suite.namespace,
    suppress: flags.suppressLog ?? suite.suppress,
    runLabels: labels,
  };
}

/** A configuration of KIND asks for KIND, as in `kubectl kudo test`. */
function clusterToStart(suite: TestSuite, flags: TestFlags): Partial<TestSuite> {
  const isKind = flags.startKind === true || flags.kindConfig !== undefined;
  const isStarted = isKind || flags.startControlPlane === true;
  return {
    startControlPlane: isStarted ? flags.startControlPlane === true : suite.startControlPlane,
    startKIND: isStarted ? isKind : suite.startKIND,
    kindConfig: flags.kindConfig ?? suite.kindConfig,
    kindContext: flags.kindContext ?? suite.kindContext,
    skipClusterDelete: flags.skipClusterDelete ?? suite.skipClusterDelete,
  };
}

function reportFormat(text: string): ReportFormat {
  const format = text.toLowerCase();
  if (format === 'xml' || format === 'json' || format === 'tap') return format;
  throw refused(`--report must be xml, json or tap, not ${text}`);
}

function wholeNumber(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= least) return value;
  throw refused(`${flag} must be a whole number from ${least}, not ${text}`);
}

/** `NAME=VALUE`, each value read as YAML. @throws TerminalError */
export function readTemplateVars(pairs: readonly string[]): JsonObject {
  const vars: JsonObject = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const read = readYaml(pair.slice(at + 1));
    if (at < 1 || !read.ok) throw refused(`--template-var ${pair}: write NAME=VALUE, with a value in YAML`);
    vars[pair.slice(0, at)] = read.value;
  }
  return vars;
}

function refused(message: string): TerminalError {
  return new TerminalError(message, 'InvalidArguments');
}
