import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { EMPTY_LEDGER, monthOf, type UsageLedger } from '@/lib/kudo/usage/ledger';
import { systemRandom } from '@/lib/random/random';
import { plainCluster } from '@/server/kube/credentials';
import { createApi } from '@/server/kube/http-api';
import { type Sandbox, startSandbox } from '@/server/sandbox/sandbox';
import { readLedger, writeLedger } from '@/server/usage/ledger-store';
import { readUsage } from '@/server/usage/read-usage';
import { createNamespace } from '@/test/engine/https-engine';
import { runBravo } from '@/test/programs/run-bravo';

const HOUR_MS = 3_600_000;

describe('bravo usage', () => {
  let sandbox: Sandbox;
  let folder: string;
  const connect = (token: string) =>
    createApi(plainCluster({ server: sandbox.url, ca: sandbox.caPem, token }), { clock: systemClock });
  const bravo = (...words: string[]) => runBravo('usage', ...words, '--kubeconfig', join(folder, 'kubeconfig'));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bravo-usage-'));
    const tokenAuthFile = join(folder, 'tokens.csv');
    await writeFile(tokenAuthFile, 'plain,plain,1,""\n');
    const kubeconfigPath = join(folder, 'kubeconfig');
    sandbox = await startSandbox({
      ...{ port: 0, mode: 'no-pods', podDelayMs: 0, tokenAuthFile, kubeconfigPath },
      clock: systemClock,
      random: systemRandom,
    });
    const api = connect(sandbox.adminToken);
    const ledger: UsageLedger = {
      ...EMPTY_LEDGER,
      months: { '2026-01': { pond: { nodes: { unit: 'node-hours', valueMs: 1.5 * HOUR_MS } } } },
    };
    for (const namespace of ['lab', 'other']) {
      await createNamespace(api, namespace);
      const { object } = await readLedger(api, namespace);
      await writeLedger(api, namespace, { ledger, object });
    }
    const group = 'rbac.authorization.k8s.io';
    await api.create(
      { group, version: 'v1', resource: 'rolebindings', namespace: 'lab' },
      {
        apiVersion: `${group}/v1`,
        kind: 'RoleBinding',
        metadata: { name: 'plain', namespace: 'lab' },
        roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'view' },
        subjects: [{ kind: 'User', name: 'plain', apiGroup: group }],
      },
    );
    await api.close();
  });
  afterAll(async () => {
    await sandbox?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('prints a table, CSV and JSON', async () => {
    const table = await bravo('-n', 'lab', '--month', '2026-01');
    expect(
      table.out
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(/\s+/g, ' ').trim()),
    ).toEqual(['MONTH NAMESPACE OPERATOR METER AMOUNT UNIT', '2026-01 lab pond nodes 1.500 node-hours']);
    expect((await bravo('-A', '--month', 'all', '-o', 'csv')).out).toBe(
      'month,namespace,operator,meter,unit,amount\r\n2026-01,lab,pond,nodes,node-hours,1.5\r\n2026-01,other,pond,nodes,node-hours,1.5\n',
    );
    const json = JSON.parse((await bravo('-n', 'other', '--month', 'all', '-o', 'json')).out);
    expect(json).toEqual([
      { month: '2026-01', namespace: 'other', operator: 'pond', meter: 'nodes', unit: 'node-hours', amount: 1.5 },
    ]);
  });

  it('shows this month when none is named, and refuses what is no month or format', async () => {
    expect(monthOf(systemClock.now())).not.toBe('2026-01');
    expect((await bravo('-n', 'lab')).out).toBe('No usage was counted.\n');
    expect((await bravo('--month', 'January')).err).toBe(
      'Error: --month: "January" is not a month; write it as 2026-11, or all\n',
    );
    expect((await bravo('-o', 'yaml')).err).toBe('Error: invalid output format, only support table, csv or json\n');
  });

  it('shows a person the namespaces that they may read, and says which ones they may not', async () => {
    const person = connect('plain');
    const { rows, notes } = await readUsage(person, { known: ['lab', 'other'], nowMs: systemClock.now() });
    expect(rows.map(({ namespace }) => namespace)).toEqual(['lab']);
    expect(notes).toEqual([expect.stringContaining('Usage of namespace other cannot be read: ')]);
    await person.close();
  });
});
