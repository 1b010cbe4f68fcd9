import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { topics } from '@/lib/live/topic';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { install } from '@/server/packages/install';
import { prepareInstall } from '@/server/packages/prepare-install';
import { createNamespace, type Engine, getInstance, planEnds, startEngine } from '@/test/engine/https-engine';
import { changeVersion, previewVersionChange } from './change-version';
import { findCataloguePackage } from './find-package';

const NS = 'demo';
const FIRST = 'shop-1.0.0';
const SECOND = 'shop-2.0.0';

const configMap = (name: string, text: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-${name}\ndata:\n  text: "${text}"\n`;

const operatorFile = (version: string, templates: readonly string[]) => `apiVersion: kudo.dev/v1beta1
name: shop
operatorVersion: ${version}
kubernetesVersion: 1.25.0
tasks:
- {name: app, kind: Apply, spec: {resources: [${templates.join(', ')}]}}
plans:
  deploy: {strategy: serial, phases: [{name: main, strategy: serial, steps: [{name: app, tasks: [app]}]}]}
`;

const parameterFile = (...names: readonly string[]) =>
  `apiVersion: kudo.dev/v1beta1\nparameters:\n${names.map((each) => `- ${each}\n`).join('')}`;

function writePackage(folder: string, operator: string, parameters: string, templates: Record<string, string>): void {
  mkdirSync(join(folder, 'templates'), { recursive: true });
  writeFileSync(join(folder, 'operator.yaml'), operator);
  writeFileSync(join(folder, 'params.yaml'), parameters);
  for (const [name, text] of Object.entries(templates)) writeFileSync(join(folder, 'templates', name), text);
}

describe('moving an Instance to another version', () => {
  let engine: Engine;
  let folder: string;
  let catalogue: PackageCatalogue;
  const context = () => ({ api: engine.api, catalogue, clock: systemClock });
  const signal = new AbortController().signal;

  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, NS);
    folder = mkdtempSync(join(tmpdir(), 'bravo-versions-'));
    writePackage(
      join(folder, 'one'),
      operatorFile('1.0.0', ['page.yaml', 'same.yaml', 'old.yaml']),
      parameterFile(
        '{name: TITLE, default: hello}',
        '{name: OLD, default: x}',
        '{name: PASSWORD, default: first-secret}',
      ),
      {
        'page.yaml': configMap('page', '{{ .Params.TITLE }} {{ .Params.PASSWORD }}'),
        'same.yaml': configMap('same', 'same'),
        'old.yaml': configMap('old', '{{ .Params.OLD }}'),
      },
    );
    writePackage(
      join(folder, 'two'),
      operatorFile('2.0.0', ['page.yaml', 'same.yaml', 'new.yaml']),
      parameterFile(
        '{name: TITLE, default: hello}',
        '{name: PASSWORD, default: first-secret}',
        '{name: SIZE, required: true}',
      ),
      {
        'page.yaml': configMap('page', '{{ .Params.TITLE }} of {{ .Params.SIZE }} {{ .Params.PASSWORD }}'),
        'same.yaml': configMap('same', 'same'),
        'new.yaml': configMap('new', '{{ .Params.SIZE }}'),
      },
    );
    catalogue = new PackageCatalogue({ bundledDir: folder, uploadDir: join(folder, 'uploads') });
  });
  afterAll(async () => {
    await engine?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function deployed(name: string) {
    const { loaded } = await findCataloguePackage(catalogue, { name: 'shop', version: '1.0.0' });
    const options = { loaded, context: { catalogue, scope: loaded.scope }, namespace: NS, instance: name };
    await install(engine.api, { prepared: await prepareInstall({ ...options, parameters: { OLD: 'gone' } }) });
    await planEnds(engine.api, NS, name, { plan: 'deploy' });
    return { namespace: NS, name };
  }

  const secondVersion = () => engine.api.get({ ...topics.operatorVersions, namespace: NS, name: SECOND });

  it('names what is installed first, the parameters that need a value, and writes nothing', async () => {
    const key = await deployed('looks');
    const preview = await previewVersionChange(context(), key, { operatorVersion: SECOND, parameters: {} });
    expect(preview.installs).toEqual([`OperatorVersion ${SECOND}`]);
    expect(preview.problems.map(({ field }) => field)).toEqual(['SIZE']);
    expect(await secondVersion()).toBeUndefined();
  });

  it('shows each object that differs, what is left over, and no secret', async () => {
    const key = await deployed('compares');
    const preview = await previewVersionChange(context(), key, { operatorVersion: SECOND, parameters: { SIZE: '3' } });
    expect(preview).toMatchObject({ outcome: 'runs', plan: 'deploy', unchanged: 1, problems: [] });
    expect(preview.objects.map(({ change, name }) => `${change} ${name}`)).toEqual([
      'change compares-page',
      'create compares-new',
    ]);
    expect(preview.objects[0]?.after).toContain('hello of 3');
    expect(preview.leftOver).toEqual(['ConfigMap compares-old']);
    expect(JSON.stringify(preview)).not.toContain('first-secret');
  });

  it('installs the version, stores the new values and starts the plan', async () => {
    const key = await deployed('moves');
    const uid = (await getInstance(engine.api, NS, 'moves'))?.status?.planStatus?.deploy?.uid;
    const wish = { operatorVersion: SECOND, parameters: { SIZE: '4' } };
    expect(await changeVersion(context(), key, wish, signal)).toEqual({ plan: 'deploy' });
    const instance = await planEnds(engine.api, NS, 'moves', { plan: 'deploy', notUid: uid });
    expect(instance.spec?.operatorVersion?.name).toBe(SECOND);
    expect(instance.spec?.parameters).toMatchObject({ SIZE: '4' });
    expect(await secondVersion()).toBeDefined();
    const back = await previewVersionChange(context(), key, { operatorVersion: FIRST, parameters: {} });
    expect(back.installs).toEqual([]);
  });

  it('knows the values that come from Secrets, shows none of them, and keeps their sources', async () => {
    const key = await deployed('sourced');
    await engine.api.create(
      { group: '', version: 'v1', resource: 'secrets', namespace: NS },
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'values' },
        stringData: { title: 'canary-title', size: '5', other: 'unused' },
      },
    );
    const parametersFrom = [
      { name: 'TITLE', secretKeyRef: { name: 'values', key: 'title' } },
      { name: 'OLD', secretKeyRef: { name: 'values', key: 'other' } },
    ];
    const notUid = (await getInstance(engine.api, NS, 'sourced'))?.status?.planStatus?.deploy?.uid;
    await engine.api.patch({ ...topics.instances, ...key }, 'merge', { spec: { parameters: null, parametersFrom } });
    await planEnds(engine.api, NS, 'sourced', { plan: 'deploy', notUid });
    const wish = { operatorVersion: SECOND, parameters: { SIZE: '5', TITLE: 'inline' } };
    const kept = await previewVersionChange(context(), key, { ...wish, parameters: { SIZE: '5' } });
    expect(kept.objects.map(({ name }) => name)).toEqual(['sourced-page', 'sourced-new']);
    expect(JSON.stringify(kept)).not.toContain('canary-title');
    expect(kept.objects[0]?.after).toContain('of 5');
    await changeVersion(context(), key, wish, signal);
    const moved = await engine.api.get({ ...topics.instances, ...key });
    expect(moved?.spec).toMatchObject({ parameters: { SIZE: '5', TITLE: 'inline' } });
    expect(JSON.stringify(moved?.spec)).not.toContain('"title"');
  });

  it('refuses a version that neither the namespace nor the catalogue has, and values that are missing', async () => {
    const key = await deployed('refuses');
    const change = (operatorVersion: string) =>
      changeVersion(context(), key, { operatorVersion, parameters: {} }, signal);
    await expect(change('shop-9.0.0')).rejects.toMatchObject({ status: 404 });
    await expect(change(SECOND)).rejects.toMatchObject({ status: 422, causes: [{ field: 'SIZE' }] });
  });
});
