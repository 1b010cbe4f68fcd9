import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ConsoleProcess, startConsoleProcess } from '@/test/programs/console-process';
import { freePort, type Running, startNode, stopAll, temporaryFolder } from '@/test/programs/process';
import { expectAccessible } from '../../test/browser/looks';
import { expect, test } from './fixtures';

/** A cluster of somebody, without Bravo's CRDs, and a console on it. */
let cluster: Running;
let console_: ConsoleProcess;

test.beforeAll(async () => {
  const folder = temporaryFolder('new-cluster');
  const kubeconfig = join(folder, 'kubeconfig');
  const words = ['--port', String(await freePort()), '--data-dir', folder, '--pod-delay', '0'];
  cluster = startNode(['bin/bravo', 'sandbox', ...words, '--write-kubeconfig', kubeconfig]);
  await expect.poll(() => existsSync(kubeconfig)).toBe(true);
  console_ = await startConsoleProcess({ KUBECONFIG: kubeconfig });
});

test.afterAll(async () => {
  await console_?.running.stop();
  await cluster?.stop();
  await stopAll();
});

test('a new cluster explains three words, and lists everything that is written before it is written', async ({
  page,
}) => {
  const lists = [
    'coordination.k8s.io/v1/namespaces/default/leases',
    'admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
  ];
  const counts = () =>
    Promise.all(
      lists.map(async (list) => {
        const answer = await page.request.get(`${console_.base}/api/kube/apis/${list}`);
        return ((await answer.json()) as { items: unknown[] }).items.length;
      }),
    );
  await page.goto(`${console_.base}/`);
  await expect(page.getByText("Bravo's CRDs are not installed in this cluster.")).toBeVisible();
  for (const word of ['Operator', 'Instance', 'Plan'])
    await expect(page.getByRole('term').filter({ hasText: word })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Install an operator' })).toHaveAttribute('href', '/install');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Install CRDs…' }).click();
  const dialog = page.getByRole('dialog', { name: "Install Bravo's CRDs in this cluster?" });
  await expect(dialog.getByRole('list', { name: 'What is created' }).getByRole('listitem')).toHaveCount(3);
  const choice = dialog.getByRole('checkbox', { name: /Also run the controller in this console/ });
  await expect(choice).not.toBeChecked();
  await choice.check();
  const writes = dialog.getByRole('list', { name: 'What the controller writes' });
  await expect(writes).toContainText('Lease bravo-controller in namespace default');
  await expect(writes).toContainText('MutatingWebhookConfiguration kudo-manager-instance-admission-webhook-config');
  await expectAccessible(page);
  await choice.uncheck();
  await dialog.getByRole('button', { name: 'Install CRDs', exact: true }).click();

  await expect(page.getByText("Bravo's CRDs are not installed in this cluster.")).toBeHidden();
  await expect(page.getByText('No controller is running')).toBeVisible();
  expect(await counts()).toEqual([0, 0]);
  await page.getByRole('button', { name: 'Run the controller here…' }).click();
  const question = page.getByRole('dialog', { name: 'Run the controller in this console?' });
  await expect(question.getByRole('list', { name: 'What the controller writes' })).toContainText(
    'Lease bravo-controller',
  );
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Run the controller', exact: true }).click();
  await expect(page.locator('[data-controller]')).toHaveCount(0);
  await expect.poll(counts).toEqual([1, 1]);
});
