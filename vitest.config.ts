import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Real tests that take long, the longest first, and those of rabbitmq, which need most of a processor, not together. */
const LONG: readonly string[] = [
  'rabbitmq',
  'etcd',
  'mariadb',
  'rabbitmq-data',
  'postgres-replication',
  'mariadb-data',
  'postgres-time',
  'etcd-access',
  'valkey-data',
  'etcd-target',
  'postgres-data',
  'console',
];

/** Begins real tests with the long ones. All others, and other projects before them, keep the order of Vitest: by size or by their last time. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ project, moduleId }: TestSpecification): number {
  if (project.name !== 'real') return -1;
  const place = LONG.indexOf(basename(moduleId, '.test.ts'));
  return place === -1 ? LONG.length : place;
}

/**
 * Three projects: `unit` is pure and fast (part of `npm run check`), `integration` starts real parts
 * (the sandbox over HTTPS, the controller, child processes) and is run by `npm test` only. `real` runs
 * the bundled operators as containers on this machine and is run by `npm run test:real` only.
 */
export default defineConfig({
  resolve: { alias: { '@': root } },
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Pure tests need no process of their own: sharing one takes a third of the time.
          pool: 'threads',
          isolate: false,
          // Not a measure of speed: a test that compares many cases takes a second, on a busy machine ten.
          testTimeout: 60_000,
          include: ['{lib,server,cli,components,app,test}/**/*.test.{ts,tsx}', 'e2e/structure/**/*.test.ts'],
          exclude: ['**/*.integration.test.ts', '**/node_modules/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['{lib,server,cli}/**/*.integration.test.ts', 'e2e/{compat,robustness,security}/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // On two cores: a third of the time of each is waiting.
          maxWorkers: 3,
          // Loading the modules for each file anew takes longer than the tests. Each file closes what it opens.
          isolate: false,
          // Its workers are counted otherwise: one project after the other.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'real',
          include: ['e2e/real/**/*.test.ts'],
          // Deadlines of plans, not of tests: a machine that makes root file systems first needs minutes.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // They mostly wait for processes of their own.
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
