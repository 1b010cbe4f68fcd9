import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { apply, configMap, plan, remove } from '@/test/operators/templates';
import { runBravo as bravo } from '@/test/programs/run-bravo';

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Name }}"}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: nginx}]
      volumes: [{name: settings, configMap: {name: "{{ .Name }}-settings"}}]
`;
const SECRET =
  'apiVersion: v1\nkind: Secret\nmetadata: {name: "{{ .Name }}"}\nstringData: {password: "{{ .Params.PASSWORD }}"}\n';
const operator: OperatorVersionSpec = {
  version: '1',
  parameters: [
    { name: 'COLOR', default: 'green' },
    { name: 'PASSWORD', default: 'first-password' },
    { name: 'PORT', default: '80' },
    { name: 'FAIL', default: 'no', trigger: 'two' },
  ],
  templates: {
    'settings.yaml': configMap(
      '{{ .Name }}-settings',
      '{color: "{{ .Params.COLOR }}", url: "x:{{ .Params.PASSWORD }}@y"}',
    ),
    'web.yaml': WEB,
    'secret.yaml': SECRET,
    'service.yaml':
      'apiVersion: v1\nkind: Service\nmetadata: {name: "{{ .Name }}"}\nspec: {ports: [{port: {{ .Params.PORT }}}]}\n',
    'one.yaml': configMap('{{ .Name }}-one'),
    'bad.yaml': `{{ if eq .Params.FAIL "yes" }}{{ fail "as wished" }}{{ end }}${configMap('{{ .Name }}-bad')}`,
  },
  tasks: [
    apply('settings', 'settings.yaml'),
    apply('web', 'web.yaml', 'secret.yaml', 'service.yaml'),
    apply('one', 'one.yaml'),
    apply('bad', 'bad.yaml'),
    remove('drop', 'one.yaml'),
  ],
  plans: {
    deploy: plan(['settings', 'settings'], ['web', 'web']),
    two: plan(['first', 'one'], ['second', 'bad']),
    again: plan(['drop', 'drop'], ['make', 'one'], ['drop-again', 'drop']),
  },
};

describe('the preview of a plan', () => {
  let engine: Engine;
  let folder: string;

  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, 'look');
    folder = await mkdtemp(join(tmpdir(), 'bravo-look-'));
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    process.env.KUBECONFIG = join(folder, 'kubeconfig');
    await createInstance(engine.api, 'look', 'db', await createOperator(engine.api, 'look', 'op', operator));
    await planEnds(engine.api, 'look', 'db', { plan: 'deploy' });
  });
  afterAll(async () => {
    delete process.env.KUBECONFIG;
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const trigger = (name: string, ...words: string[]) =>
    bravo('plan', 'trigger', '--instance', 'db', '--name', name, ...words, '-n', 'look');
  const update = (...words: string[]) => bravo('update', '--instance', 'db', ...words, '-n', 'look');
  const ended = (name: string) =>
    eventually(`run ${name} is complete`, async () => {
      const run = (await engine.api.get({ ...PLAN_RUNS, namespace: 'look', name })) as PlanRun | undefined;
      return run?.status?.status === 'COMPLETE' ? run : undefined;
    });
  const runNames = async () => {
    const { items } = await engine.api.list({ ...PLAN_RUNS, namespace: 'look' });
    return items.map(({ metadata }) => metadata.name);
  };

  it('of a plan that changes nothing names each object of each task as unchanged, and starts nothing', async () => {
    const { out, code } = await trigger('deploy', '--preview');
    expect(code).toBe(0);
    expect(out).toBe(
      [
        'Plan deploy:',
        '  main/settings, task settings (Apply)',
        '    ConfigMap db-settings stays as it is',
        '  main/web, task web (Apply)',
        '    Deployment db stays as it is',
        '    Secret db stays as it is',
        '    Service db stays as it is',
        '',
      ].join('\n'),
    );
    expect(await runNames()).toEqual(['db-deploy-1']);
  });

  it('of an edit shows the lines that differ from the live objects, and pods that restart with their ConfigMap', async () => {
    const { out } = await update('-p', 'COLOR=red', '--preview');
    expect(out).toContain('    ConfigMap db-settings changes\n');
    expect(out).toContain('    -  color: green\n');
    expect(out).toContain('    +  color: red\n');
    expect(out).toContain('Pods:\n  The pods of Deployment db restart.\n');
    const json = JSON.parse((await update('-p', 'COLOR=red', '--preview', '-o', 'json')).out);
    expect(json).toMatchObject({ outcome: 'runs', plan: 'deploy', unchanged: 2, problems: [], unchecked: [] });
    expect((await update('-p', 'COLOR=red', '-o', 'json')).err).toContain('add --preview');
    expect(await runNames()).toEqual(['db-deploy-1']);
  });

  it('masks secret values before and after wherever they are', async () => {
    const { out } = await update('-p', 'PASSWORD=second-password', '-p', 'COLOR=red', '--preview', '-o', 'yaml');
    expect(out).not.toMatch(/first-password|second-password|Zmlyc3QtcGFzc3dvcmQ|c2Vjb25kLXBhc3N3b3Jk/);
    expect(out).toContain('x:‹secret›@y');
    expect(out).toContain('password: ‹secret› (changed)');
  });

  it('says what the API server would refuse', async () => {
    const { out } = await update('-p', 'PORT=70000', '--preview');
    expect(out).toMatch(/Problems:\n {2}The API server refuses Service db: .*(70000|65535)/);
  });

  it('is carried by the start, and the record says whether the run applied the same, or why not', async () => {
    const { token } = JSON.parse((await trigger('deploy', '--preview', '-o', 'json')).out);
    const start = () => trigger('deploy', '--as-previewed', token, '--wait', '--wait-time', '60');
    const shown = async (name: string) =>
      (await bravo('run', 'show', name, '-n', 'look')).out.replaceAll('\u00a0', ' ');
    const before = (await runNames()).length;
    expect(await start()).toMatchObject({ code: 0 });
    await ended(`db-deploy-${before + 1}`);
    expect(await shown(`db-deploy-${before + 1}`)).toContain('applied as previewed');

    const at = { ...OPERATOR_VERSIONS, namespace: 'look', name: 'op-1' };
    const random = configMap('{{ .Name }}-settings', '{color: "{{ randAlphaNum 8 }}"}');
    const templates = { 'settings.yaml': random, 'service.yaml': `${operator.templates?.['service.yaml']}\n` };
    await engine.api.patch(at, 'merge', { spec: { templates } });
    await start();
    const other = await ended(`db-deploy-${before + 2}`);
    expect(other.status?.preview).toEqual({
      digest: token.slice(0, 16),
      matches: false,
      differs: [
        'main/settings: ConfigMap db-settings: parameters, sources or the operator version were changed after the preview',
      ],
    });
    expect(await shown(`db-deploy-${before + 2}`)).toContain('differs from the preview\n');

    const again = JSON.parse((await trigger('deploy', '--preview', '-o', 'json')).out);
    await trigger('deploy', '--as-previewed', again.token, '--wait', '--wait-time', '60');
    expect((await ended(`db-deploy-${before + 3}`)).status?.preview?.differs).toEqual([
      'main/settings: ConfigMap db-settings: its template uses random values or the time, which are others in each run',
    ]);
    await engine.api.patch(at, 'merge', {
      spec: { templates: { 'settings.yaml': operator.templates?.['settings.yaml'] ?? '' } },
    });
  });

  it('follows an object from task to task, and leaves a retry with the steps that did not complete', async () => {
    await update('-p', 'FAIL=yes', '--wait', '--wait-time', '60');
    await eventually('run db-two-1 has failed', async () => {
      const run = (await engine.api.get({ ...PLAN_RUNS, namespace: 'look', name: 'db-two-1' })) as PlanRun | undefined;
      return run?.status?.status === 'FATAL_ERROR' ? run : undefined;
    });
    const again = await trigger('again', '--preview');
    expect(again.out).toContain('task drop (Delete)\n    ConfigMap db-one is deleted\n');
    expect(again.out).toContain('task one (Apply)\n    ConfigMap db-one is created\n');
    const retry = await bravo('run', 'retry', 'db-two-1', '--preview', '-n', 'look');
    expect(retry.out).not.toContain('main/first');
    expect(retry.out).toContain('main/second, task bad (Apply)');
    expect(retry.out).toContain('Problems:\n  Task bad: template bad.yaml cannot be rendered');
    const fixed = await bravo('run', 'retry', 'db-two-1', '-p', 'FAIL=no', '--preview', '-n', 'look');
    expect(fixed.out).toContain('main/first, task one (Apply)\n    ConfigMap db-one stays as it is');
    expect(fixed.out).toContain('ConfigMap db-bad is created');
  });
});
