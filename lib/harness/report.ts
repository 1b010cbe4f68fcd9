import { formatMilliTime } from '@/lib/clock/clock';

/** What a report says of one case or step. Times are milliseconds since 1970, durations milliseconds. */
export interface ReportedStep {
  /** `setup`, or `INDEX-NAME`. */
  readonly name: string;
  /** Expected and forbidden objects. */
  readonly assertions: number;
  readonly startedMs: number;
  readonly durationMs: number;
  readonly failure: ReportedFailure | undefined;
}

export interface ReportedFailure {
  readonly message: string;
  readonly errors: readonly string[];
}

export interface ReportedCase {
  readonly name: string;
  readonly startedMs: number;
  readonly endedMs: number;
  /** `setup`, then the steps that ran. */
  readonly steps: readonly ReportedStep[];
}

/** The cases of one test directory. */
export interface ReportedDirectory {
  /** The path as it is configured. */
  readonly path: string;
  readonly startedMs: number;
  readonly cases: readonly ReportedCase[];
}

export interface ReportedRun {
  readonly name: string;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly directories: readonly ReportedDirectory[];
  /** Why no case ran. */
  readonly setupFailure: string | undefined;
}

/** One element of a report: attributes in their order, then the elements in it. */
export interface Testsuites {
  readonly name: string;
  readonly tests: number;
  readonly failures: number;
  readonly time: string;
  readonly testsuite: readonly Testsuite[];
  readonly failure: Failure | undefined;
}

export interface Testsuite {
  readonly tests: number;
  readonly failures: number;
  readonly timestamp: string;
  readonly time: string;
  readonly name: string;
  readonly testcase: readonly Testcase[];
  readonly testsuite: readonly Testsuite[];
}

export interface Testcase {
  readonly classname: string;
  readonly name: string;
  readonly timestamp: string;
  readonly time: string;
  readonly assertions: number;
  readonly failure: Failure | undefined;
}

export interface Failure {
  readonly text: string;
  readonly message: string;
}

/**
 * The report of a run (KUTTL report/report.go). With granularity `step` each case is a suite of its steps, else it is one test.
 * Durations of steps are real ones, where KUTTL's are nearly 0.
 */
export function makeReport(run: ReportedRun, granularity: 'step' | 'test'): Testsuites {
  const suites = [...run.directories]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map((directory) => directorySuite(directory, granularity));
  return {
    name: run.name,
    tests: sum(suites.map(({ tests }) => tests)),
    failures: sum(suites.map(({ failures }) => failures)),
    time: seconds(run.endedMs - run.startedMs),
    testsuite: suites,
    failure: run.setupFailure === undefined ? undefined : { text: '', message: run.setupFailure },
  };
}

function directorySuite(directory: ReportedDirectory, granularity: 'step' | 'test'): Testsuite {
  const cases = [...directory.cases].sort((a, b) => (a.name < b.name ? -1 : 1));
  const endedMs = Math.max(directory.startedMs, ...cases.map((one) => one.endedMs));
  const head = {
    timestamp: formatMilliTime(directory.startedMs),
    time: seconds(endedMs - directory.startedMs),
    name: directory.path,
  };
  if (granularity === 'test') {
    const classname = directory.path.split('/').filter(Boolean).at(-1) ?? directory.path;
    const tests = cases.map((one) => caseAsTest(one, classname));
    return { ...countsOf(tests), ...head, testcase: tests, testsuite: [] };
  }
  const suites = cases.map(caseAsSuite);
  const tests = sum(suites.map((suite) => suite.tests));
  const failures = sum(suites.map((suite) => suite.failures));
  return { tests, failures, ...head, testcase: [], testsuite: suites };
}

function caseAsSuite(one: ReportedCase): Testsuite {
  const tests = one.steps.map(
    (step): Testcase => ({
      classname: one.name,
      name: step.name === 'setup' ? step.name : `step ${step.name}`,
      timestamp: formatMilliTime(step.startedMs),
      time: seconds(step.durationMs),
      assertions: step.assertions,
      failure: step.failure === undefined ? undefined : asFailure(step.failure),
    }),
  );
  return {
    ...countsOf(tests),
    timestamp: formatMilliTime(one.startedMs),
    time: seconds(one.endedMs - one.startedMs),
    name: one.name,
    testcase: tests,
    testsuite: [],
  };
}

function caseAsTest(one: ReportedCase, classname: string): Testcase {
  const failed = one.steps.find(({ failure }) => failure !== undefined)?.failure;
  return {
    classname,
    name: one.name,
    timestamp: formatMilliTime(one.startedMs),
    time: seconds(one.endedMs - one.startedMs),
    assertions: sum(one.steps.map(({ assertions }) => assertions)),
    failure: failed === undefined ? undefined : asFailure(failed),
  };
}

/** Only the last error is in a report, as in KUTTL: it is the sentence; the diff before it is in the log. */
function asFailure({ message, errors }: ReportedFailure): Failure {
  return { message, text: errors.at(-1) ?? '' };
}

function countsOf(tests: readonly Testcase[]): { tests: number; failures: number } {
  return { tests: tests.length, failures: tests.filter(({ failure }) => failure !== undefined).length };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function seconds(durationMs: number): string {
  return (Math.max(0, durationMs) / 1_000).toFixed(3);
}
