import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { chromiumArgs, findChromium } from './test/programs/chromium.mjs';

/** A console that runs already is used instead of a fresh one; for writing tests. */
const running = process.env.BRAVO_E2E_BASE;
const port = 3117;
const sandboxPort = 6457;

/** The workers read this file too: the folder is made once and handed on. */
process.env.BRAVO_E2E_DATA ??= mkdtempSync(join(tmpdir(), 'bravo-e2e-'));

/** Browser tests: a real Chromium on the production build, with its own sandbox in a fresh folder. */
export default defineConfig({
  testDir: 'e2e/console',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 1,
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    baseURL: running ?? `http://127.0.0.1:${port}`,
    launchOptions: { executablePath: findChromium() ?? '', args: [...chromiumArgs] },
    trace: 'off',
  },
  ...(running === undefined ? { webServer: freshConsole() } : {}),
});

function freshConsole() {
  return {
    command: 'node scripts/start.mjs',
    url: `http://127.0.0.1:${port}/api/ready`,
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 10_000 },
    env: {
      PORT: String(port),
      BRAVO_SANDBOX_PORT: String(sandboxPort),
      BRAVO_METRICS_PORT: 'off',
      BRAVO_DATA: process.env.BRAVO_E2E_DATA ?? '',
      BRAVO_POD_DELAY: '1',
      KUBECONFIG: '',
    },
  };
}
