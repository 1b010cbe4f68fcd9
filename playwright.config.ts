import { defineConfig } from '@playwright/test';
import { chromiumArgs, findChromium } from './test/programs/chromium.mjs';
import { runningConsole, workerConsole, workerCount } from './test/programs/worker-console';

/**
 * Browser tests: a real Chromium on the production build. Each worker has a console with a sandbox of its own in a fresh folder, so that
 * a test counts rows, stops plans or adds a cluster without a test of another worker in sight.
 */
export default defineConfig({
  testDir: 'e2e/console',
  outputDir: 'test-results',
  // The tests of a file run in order in one worker; the next file goes to the worker that is free.
  fullyParallel: false,
  workers: workerCount,
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    // Each worker evaluates this file, with its index in the environment.
    baseURL: runningConsole ?? `http://127.0.0.1:${workerConsole().port}`,
    launchOptions: { executablePath: findChromium() ?? '', args: [...chromiumArgs] },
    screenshot: 'only-on-failure',
    // A recording takes a sixth of the processor time of all tests, so it is made on request.
    trace: process.env.BRAVO_E2E_TRACE ? 'retain-on-failure' : 'off',
  },
  ...(runningConsole === undefined
    ? { webServer: Array.from({ length: workerCount }, (_, index) => freshConsole(index)) }
    : {}),
});

function freshConsole(index: number) {
  const { port, sandboxPort, folder } = workerConsole(index);
  return {
    name: `console ${index}`,
    command: 'node scripts/start.mjs',
    url: `http://127.0.0.1:${port}/api/ready`,
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 10_000 },
    env: {
      PORT: String(port),
      BRAVO_SANDBOX_PORT: String(sandboxPort),
      BRAVO_METRICS_PORT: 'off',
      BRAVO_DATA: folder,
      BRAVO_POD_DELAY: '1',
      // A repository of a test is on this machine.
      BRAVO_NOTICES_ALLOW_LOCAL: 'true',
      KUBECONFIG: '',
    },
  };
}
