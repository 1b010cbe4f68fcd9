import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAN_APPROVALS } from '@/lib/kudo/approvals/plan-approval';
import { OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { CONFIGURATION_NAME, CONFIGURATIONS } from '@/server/webhook/registration';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { saying, wiping } from '@/test/operators/destructive-operator';
import { runBravo as bravo } from '@/test/programs/run-bravo';

describe('the command line and approvals', () => {
  let engine: Engine;
  let folder: string;

  /** The kubeconfig of a person. */
  const as = async (user: string) => {
    const file = join(folder, user);
    await writeFile(file, engine.sandbox.kubeconfig.replace(/^( *)(token: .*)$/m, `$1$2\n$1as: ${user}`));
    process.env.KUBECONFIG = file;
  };

  beforeAll(async () => {
    engine = await startEngine({ webhook: true });
    await createNamespace(engine.api, 'lab');
    folder = await mkdtemp(join(tmpdir(), 'bravo-approval-'));
    const version = await createOperator(engine.api, 'lab', 'op', wiping());
    const metadata = { annotations: saying({ wipe: { approval: true, parameters: ['FROM'] } }) };
    await engine.api.patch({ ...OPERATOR_VERSIONS, namespace: 'lab', name: version }, 'merge', { metadata });
    await engine.api.create(
      { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterrolebindings' },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'people' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: ['alice', 'bob'].map((name) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name })),
      },
    );
    await eventually('the webhook is registered', () =>
      engine.api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME }),
    );
    await createInstance(engine.api, 'lab', 'one', version);
    await planEnds(engine.api, 'lab', 'one', { plan: 'deploy' });
  });
  afterAll(async () => {
    delete process.env.KUBECONFIG;
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const refused = (what: string) => ({ out: '', err: expect.stringContaining(what), code: 255 });
  const update = ['update', '--instance', 'one', '-p', 'FROM=monday', '-n', 'lab'];

  it('a plan is asked for, approved by another person, listed, and started once', async () => {
    await as('alice');
    expect(await bravo(...update)).toMatchObject(refused('It needs the approval of a second person'));
    const asked = await bravo(
      'plan',
      'request',
      '--instance',
      'one',
      '--name',
      'wipe',
      '-p',
      'FROM=monday',
      '-n',
      'lab',
    );
    expect(asked).toMatchObject({ code: 0, out: expect.stringContaining('waits for a second person') });
    const [, name = ''] = /^approval (\S+) /.exec(asked.out) ?? [];
    expect(await bravo('approval', 'approve', name, '-n', 'lab')).toMatchObject(refused('was asked for by alice'));
    expect(await bravo(...update, '--approval', name)).toMatchObject(refused('waits for a second person'));
    await as('bob');
    expect(await bravo('approval', 'approve', name, '-n', 'lab')).toMatchObject({
      out: `approval lab/${name} approved\n`,
    });
    const list = await bravo('approval', 'list', '-n', 'lab', '--instance', 'one');
    expect(list.out).toMatch(new RegExp(`${name}\\s+one\\s+wipe\\s+alice\\s+approved\\s+bob`));
    await as('alice');
    expect(await bravo(...update, '--approval', name, '--wait', '--wait-time', '60')).toMatchObject({ code: 0 });
    const again = ['plan', 'trigger', '--instance', 'one', '--name', 'wipe', '--approval', name, '-n', 'lab'];
    expect(await bravo(...again)).toMatchObject(refused('was used for a start already'));
    expect(await bravo('approval', 'reject', name, '-n', 'lab')).toMatchObject(refused('is used already'));
  });

  it('a start with another version is asked for by its name', async () => {
    await as('alice');
    const next = await createOperator(engine.api, 'lab', 'op', wiping('2'));
    const metadata = { annotations: saying({ deploy: { approval: true } }) };
    await engine.api.patch({ ...OPERATOR_VERSIONS, namespace: 'lab', name: next }, 'merge', { metadata });
    const request = ['plan', 'request', '--instance', 'one', '--name', 'deploy', '-n', 'lab'];
    expect(await bravo(...request)).toMatchObject(refused('plan deploy needs no approval'));
    expect(await bravo(...request, '--operator-version', next)).toMatchObject({ code: 0 });
    const { items } = await engine.api.list({ ...PLAN_APPROVALS, namespace: 'lab' });
    expect(items.map(({ spec }) => spec)).toContainEqual(expect.objectContaining({ operatorVersion: next }));
  });
});

describe('a request where no webhook is registered', () => {
  it('is refused before its values are stored', async () => {
    const engine = await startEngine();
    const folder = await mkdtemp(join(tmpdir(), 'bravo-approval-'));
    try {
      await createNamespace(engine.api, 'lab');
      await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
      process.env.KUBECONFIG = join(folder, 'kubeconfig');
      const words = ['plan', 'request', '--instance', 'one', '--name', 'wipe', '-p', 'FROM=monday', '-n', 'lab'];
      expect(await bravo(...words)).toMatchObject({ code: 255, err: expect.stringContaining('no admission webhook') });
      expect((await engine.api.list({ ...PLAN_APPROVALS, namespace: 'lab' })).items).toEqual([]);
    } finally {
      delete process.env.KUBECONFIG;
      await engine.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
