import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '@/lib/clock/clock';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { ReportedCase, ReportedRun } from '@/lib/harness/report';
import { DEFAULT_SUITE, type TestSuite } from '@/lib/harness/suite';
import { seededRandom } from '@/lib/random/random';
import { type Cluster, loadCluster, plainCluster } from '@/server/kube/credentials';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { KindIndex } from '@/server/kube/kinds';
import type { Transport } from '@/server/kube/transport';
import { type Sandbox, startSandbox } from '@/server/sandbox/sandbox';
import { findCases } from './find-cases';
import type { Harness } from './harness';
import { type LeapingPace, startLeapingPace } from './leaping-pace';
import { runSuite } from './run-suite';

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

/** What a run of the bench gave. */
export interface BenchRun {
  readonly run: ReportedRun;
  readonly cases: readonly ReportedCase[];
  /** The log, a line each, without times. */
  readonly log: readonly string[];
  readonly folder: string;
  /** Virtual seconds. */
  readonly seconds: number;
}

/** A sandbox in virtual time, on which suites run that are made of texts. */
export interface Bench {
  readonly api: ClosableApi;
  readonly sandbox: Sandbox;
  readonly pace: LeapingPace;
  /** The folder of files, and of the kubeconfig. */
  readonly root: string;
  /**
   * Runs the cases that the files are, by paths such as `case/00-assert.yaml`.
   * @param token of another user
   */
  run(
    files: { readonly [path: string]: string },
    more?: Partial<Harness> & { as?: string; set?: Partial<TestSuite>; pattern?: string },
  ): Promise<BenchRun>;
  stop(): Promise<void>;
}

export async function startBench(): Promise<Bench> {
  const root = await mkdtemp(join(tmpdir(), 'bravo-bench-'));
  const clock = new VirtualClock(systemClock.now());
  const pace = startLeapingPace(clock);
  const tokens = join(root, 'tokens.csv');
  await writeFile(tokens, 'plain,plain,1,""\n');
  const sandbox = await startSandbox({
    port: 0,
    mode: 'full',
    podDelayMs: 1_000,
    tokenAuthFile: tokens,
    kubeconfigPath: join(root, 'kubeconfig'),
    clock,
    random: seededRandom('bench'),
  });
  const connect = (token: string): ClosableApi =>
    createApi(clusterOf(sandbox, token), { clock, transport: direct(sandbox, token) });
  const api = connect(sandbox.adminToken);
  let count = 0;
  return {
    api,
    sandbox,
    pace,
    root,
    async run(files, { as = sandbox.adminToken, set = {}, pattern = '', ...more } = {}) {
      count += 1;
      const folder = join(root, `suite${count}`);
      await mkdir(folder, { recursive: true });
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
      const log: string[] = [];
      const used = connect(as);
      const harness: Harness = {
        suite: { ...DEFAULT_SUITE, ...set },
        cluster: { api: used, kinds: new KindIndex(used), kubeconfig: join(root, 'kubeconfig') },
        openCluster: (path) => {
          const opened = createApi(loadCluster({ kubeconfigPath: path }), { clock: systemClock });
          return { api: opened, kinds: new KindIndex(opened), kubeconfig: path };
        },
        pace,
        random: seededRandom(`run ${count}`),
        environment: { PATH: SYSTEM_PATH, HOME: root },
        launchers: [],
        folder,
        templateVars: {},
        fetchText: async (url) => `# ${url}`,
        print: (line) => log.push(line.replace(/^ +\d\d:\d\d:\d\d \| /, '')),
        signal: new AbortController().signal,
        ...more,
      };
      const startedMs = clock.now();
      const run = await runSuite(harness, await findCases([folder], { folder, pattern }));
      const cases = run.directories.flatMap((directory) => directory.cases);
      return { run, cases, log, folder, seconds: (clock.now() - startedMs) / 1_000 };
    },
    async stop() {
      await sandbox.stop();
      await pace.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function clusterOf(sandbox: Sandbox, token: string): Cluster {
  return plainCluster({ server: sandbox.url, token, ca: sandbox.caPem });
}

function direct(sandbox: Sandbox, token: string): Transport {
  return {
    request: (request) =>
      sandbox.inject({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }),
    openSocket: () => Promise.reject(new Error('no sockets')),
    close: () => Promise.resolve(),
  };
}

/** The errors of the case of this name: its failure’s message, then what it lists. */
export function errorsOf(run: BenchRun, name = 'case'): readonly string[] {
  const failure = run.cases.find((one) => one.name === name)?.steps.find((step) => step.failure !== undefined)?.failure;
  return failure === undefined ? [] : [failure.message, ...failure.errors];
}
