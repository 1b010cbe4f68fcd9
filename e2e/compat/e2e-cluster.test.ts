import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { freePort, startNode, stopAll, temporaryFolder } from '@/test/programs/process';

afterAll(stopAll);

it('npm run e2e:cluster passes on the sandbox, and leaves nothing behind', async () => {
  const folder = temporaryFolder('e2e-cluster-test');
  const kubeconfig = join(folder, 'kubeconfig');
  const options = ['--port', String(await freePort()), '--pod-delay', '0', '--write-kubeconfig', kubeconfig];
  const sandbox = startNode(['bin/bravo', 'sandbox', ...options]);
  await sandbox.printed('The sandbox serves');
  expect(existsSync(kubeconfig)).toBe(true);
  const suite = startNode(['scripts/e2e-cluster.mjs', '--kubeconfig', kubeconfig]);
  const { code } = await suite.exited();
  expect(suite.output()).toMatch(/\d+ passed, 0 failed, \d+ skipped/);
  expect(suite.output()).toContain('✅ the webhook refuses an edit that is not allowed');
  expect(suite.output()).toContain('✅ only bravo-admin starts a plan that is marked destructive');
  expect(suite.output()).toContain('✅ a run that stops after a phase begins no step until it is resumed');
  expect(suite.output()).toContain('✅ a run is cancelled, and no further step begins');
  expect(suite.output()).toContain('✅ a terminal: what is typed runs in the container');
  expect(suite.output()).toContain('✅ a terminal is refused without the right to create pods/exec');
  expect(suite.output()).toContain('✅ removal: CRDs, roles and both namespaces were deleted');
  expect(code).toBe(0);
  const left = startNode(['bin/bravo', 'init', '--verify', '--kubeconfig', kubeconfig, '--home', folder]);
  await left.exited();
  expect(left.output()).toContain('CRD instances.kudo.dev is not installed');
  await sandbox.stop();
}, 600_000);
