import { type HarnessCommand, readCommand } from './command';
import { suiteFieldsOf } from './definitions';
import type { SuiteFields } from './fields';
import { globMatcher } from './glob';
import { HARNESS_API_VERSION, type SourceFile } from './source-object';
import type { RunLabels } from './test-file';

export type ReportFormat = 'xml' | 'json' | 'tap';

/** A TestSuite with what the flags of the command line change (KUTTL apis testharness/v1beta1 TestSuite). */
export interface TestSuite {
  readonly name: string;
  /** Empty: none. */
  readonly crdDir: string;
  readonly manifestDirs: readonly string[];
  readonly testDirs: readonly string[];
  readonly startControlPlane: boolean;
  readonly startKIND: boolean;
  /** Empty: one node. */
  readonly kindConfig: string;
  readonly kindContext: string;
  readonly kindNodeCache: boolean;
  /** Images that are loaded into the cluster. */
  readonly kindContainers: readonly string[];
  readonly skipClusterDelete: boolean;
  readonly skipDelete: boolean;
  /** Seconds, as written; 0: unset. */
  readonly timeout: number;
  readonly parallel: number;
  readonly artifactsDir: string;
  readonly commands: readonly HarnessCommand[];
  readonly reportFormat: ReportFormat | undefined;
  readonly reportName: string;
  readonly reportGranularity: 'step' | 'test';
  readonly namespace: string;
  readonly suppress: readonly string[];
  readonly ignoreFiles: readonly string[];
  readonly runLabels: RunLabels;
}

export const DEFAULT_TIMEOUT_SECONDS = 30;

export const DEFAULT_SUITE: TestSuite = {
  name: '',
  crdDir: '',
  manifestDirs: [],
  testDirs: [],
  startControlPlane: false,
  startKIND: false,
  kindConfig: '',
  kindContext: 'kind',
  kindNodeCache: false,
  kindContainers: [],
  skipClusterDelete: false,
  skipDelete: false,
  timeout: 0,
  parallel: 8,
  artifactsDir: '',
  commands: [],
  reportFormat: undefined,
  reportName: 'kuttl-report',
  reportGranularity: 'step',
  namespace: '',
  suppress: [],
  ignoreFiles: ['README*'],
  runLabels: {},
};

/** The time of a step without a timeout of its own, in seconds. */
export function defaultStepSeconds(suite: Pick<TestSuite, 'timeout'>): number {
  return suite.timeout === 0 ? DEFAULT_TIMEOUT_SECONDS : suite.timeout;
}

/**
 * Reads the file of a suite. Objects of other kinds are named in `ignored`.
 * @throws TerminalError with file and line of what is wrong
 */
export function readTestSuite({ objects }: SourceFile): {
  readonly suite: TestSuite;
  readonly ignored: readonly string[];
} {
  let suite = DEFAULT_SUITE;
  const ignored: string[] = [];
  for (const source of objects) {
    const { kind, apiVersion, metadata } = source.object;
    if (kind !== 'TestSuite' || apiVersion !== HARNESS_API_VERSION) {
      ignored.push(`unknown object type: ${apiVersion}, Kind=${kind}`);
      continue;
    }
    suite = suiteOf(suiteFieldsOf(source), metadata.name ?? '');
  }
  const matcher = globMatcher(suite.ignoreFiles);
  if (typeof matcher === 'string' && objects[0] !== undefined)
    throw suiteFieldsOf(objects[0]).problem(matcher, 'ignoreFiles');
  return { suite, ignored };
}

function suiteOf(fields: SuiteFields, name: string): TestSuite {
  const granularity = fields.text('reportGranularity') ?? 'step';
  if (granularity !== 'step' && granularity !== 'test')
    throw fields.problem('must be step or test', 'reportGranularity');
  const text = (key: string) => fields.text(key) ?? '';
  const texts = (key: string) => fields.texts(key) ?? [];
  const flag = (key: string) => fields.flag(key) === true;
  const count = (key: string) => Math.max(0, fields.count(key) ?? 0);
  return {
    name,
    crdDir: text('crdDir'),
    manifestDirs: texts('manifestDirs'),
    testDirs: texts('testDirs'),
    startControlPlane: flag('startControlPlane'),
    startKIND: flag('startKIND'),
    kindConfig: text('kindConfig'),
    kindContext: text('kindContext') || DEFAULT_SUITE.kindContext,
    kindNodeCache: flag('kindNodeCache'),
    kindContainers: texts('kindContainers'),
    skipClusterDelete: flag('skipClusterDelete'),
    skipDelete: flag('skipDelete'),
    timeout: count('timeout'),
    parallel: count('parallel') || DEFAULT_SUITE.parallel,
    artifactsDir: text('artifactsDir'),
    commands: fields.maps('commands').map(readCommand),
    reportFormat: formatOfFile(text('reportFormat')),
    reportName: text('reportName') || DEFAULT_SUITE.reportName,
    reportGranularity: granularity,
    namespace: text('namespace'),
    suppress: texts('suppress'),
    ignoreFiles: fields.texts('ignoreFiles') ?? DEFAULT_SUITE.ignoreFiles,
    runLabels: {},
  };
}

/** KUTTL writes JSON for every text that is not exactly `xml`; `tap` is Bravo's. */
function formatOfFile(text: string): ReportFormat | undefined {
  if (text === '') return undefined;
  return text === 'xml' || text === 'tap' ? text : 'json';
}
