// npm test: installs what is missing, then runs types, lint, unit, integration and browser tests. The last line is their sum.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { checkNode, ensureInstalled, ensurePages, say } from './prepare.mjs';
import { root } from './tree.mjs';

const total = { passed: 0, failed: 0, skipped: 0 };
/** What failed, a line each; printed at the end, because the output of a stage can be tens of thousands of lines long. */
const failures = [];
// Temporary files of the tests; deleted when all tests pass.
const scratch = mkdtempSync(join(tmpdir(), 'bravo-test-'));
const quick = process.argv.includes('--quick');

checkNode();
ensureInstalled();
if (!quick) ensurePages();
else stage('page types', 'node', ['node_modules/next/dist/bin/next', 'typegen']);
stage('types', 'node', ['node_modules/typescript/bin/tsc', '--noEmit']);
stage('lint', 'node', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']);
vitest('unit');
if (!quick) {
  const { ensureServerBundle } = await import('./bundle.mjs');
  await ensureServerBundle();
  vitest('integration');
  await browser();
}
tidyUp();
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exit(total.failed > 0 ? 1 : 0);

/** An error here does not fail the tests: a process that is still ending may write into the folder. */
function tidyUp() {
  try {
    if (total.failed === 0) rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    say(`${scratch} could not be removed: ${error.message}`);
  }
  if (total.failed > 0) say(`The files of the tests are in ${scratch}`);
}

/** A step that counts as one test. */
function stage(name, command, args, environment = {}) {
  const startedMs = Date.now();
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 1, 2],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', TMPDIR: scratch, ...environment },
  });
  const passed = status === 0;
  total[passed ? 'passed' : 'failed']++;
  if (!passed) failures.push(`${name} (exit code ${status})`);
  say(`── ${name}: ${passed ? 'ok' : 'FAILED'} (${Math.round((Date.now() - startedMs) / 1000)} s)`);
  return passed;
}

function vitest(project) {
  const file = join(scratch, `${project}.json`);
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ];
  const passed = stage(`${project} tests`, 'node', args);
  const report = read(file);
  if (report === undefined) return;
  total.passed += report.numPassedTests;
  total.failed += report.numFailedTests;
  total.skipped += report.numPendingTests + report.numTodoTests;
  // The stage was counted in case the runner crashed; now the single tests are counted instead.
  total[passed ? 'passed' : 'failed'] -= passed || report.numFailedTests > 0 ? 1 : 0;
  for (const { name, message, assertionResults } of report.testResults) {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    for (const test of failed) failures.push(line(name, test.fullName, test.failureMessages[0]));
    if (failed.length === 0 && message) failures.push(line(name, 'the file', message));
  }
}

async function browser() {
  const { ensureChromium } = await import('../test/programs/chromium.mjs');
  const chromium = ensureChromium();
  if (chromium.problem !== undefined) {
    say(chromium.problem);
    total.failed++;
    return;
  }
  const file = join(scratch, 'browser.json');
  const passed = stage(
    'browser tests',
    'node',
    ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'],
    {
      PLAYWRIGHT_JSON_OUTPUT_NAME: file,
    },
  );
  const report = read(file);
  if (report === undefined) return;
  total.passed += report.stats.expected;
  total.failed += report.stats.unexpected + report.stats.flaky;
  total.skipped += report.stats.skipped;
  total[passed ? 'passed' : 'failed'] -= passed || report.stats.unexpected > 0 ? 1 : 0;
  for (const suite of report.suites) addFailedSpecs(suite);
}

function addFailedSpecs(suite) {
  for (const { file, line: at, title, ok, tests } of suite.specs) {
    if (ok) continue;
    const { error } = tests.flatMap(({ results }) => results).find((result) => result.error) ?? {};
    failures.push(line(join(root, `e2e/${file}:${at}`), title, error?.message));
  }
  for (const inner of suite.suites ?? []) addFailedSpecs(inner);
}

/** A failed test on one line: its file, its name, and how its message begins. */
function line(file, name, message = '') {
  const text = stripVTControlCharacters(message).split('\n').filter(Boolean).slice(0, 3).join(' ');
  return `${relative(root, file)}: ${name}: ${text.slice(0, 300)}`;
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
