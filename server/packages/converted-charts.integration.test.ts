import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { chartToPackage } from '@/lib/kudo/charts/chart-to-package';
import { chartFiles, TEST_CHARTS, testChart } from '@/test/charts/read-test-chart';
import { type Engine, startEngine } from '@/test/engine/https-engine';
import { runBravo } from '@/test/programs/run-bravo';
import { awaitPlan } from './await-plan';
import { PackageCatalogue } from './catalogue';
import { install } from './install';
import { loadPackage } from './loaded-package';
import { packageFolder } from './package-fixture';
import { prepareInstall } from './prepare-install';
import { loadChart } from './read-chart';

const folder = packageFolder();
const catalogue = new PackageCatalogue({ bundledDir: '/nonexistent' });

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine?.stop());

async function archiveOfChart(name: string, top: string): Promise<Uint8Array> {
  const tar = pack();
  for (const [path, text] of chartFiles(name)) tar.entry({ name: `${top}/${path}` }, text);
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar) chunks.push(chunk as Uint8Array);
  return gzipSync(Buffer.concat(chunks));
}

async function write(files: ReadonlyMap<string, string>, root: string): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

describe('converted charts', () => {
  it.each(TEST_CHARTS)('%s deploys on the sandbox, and its plans complete', async (name) => {
    const result = chartToPackage(testChart(name));
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    const root = join(folder.path, name);
    await write(result.converted.files, root);
    const loaded = await loadPackage(root);
    const namespace = `chart-${name}`;
    const prepared = await prepareInstall({
      loaded,
      context: { catalogue, scope: loaded.scope },
      namespace,
      instance: name,
      parameters: {},
    });
    expect(prepared.missing).toEqual([]);
    await install(engine.api, { prepared, createNamespace: true });
    const done = await awaitPlan(engine.api, { namespace, instance: name, clock: systemClock, timeoutMs: 60_000 });
    expect(done.status?.planStatus?.deploy?.status).toBe('COMPLETE');
  });

  it('from-chart reads a packed chart with packed charts in it', async () => {
    const parent = new Map([
      ['Chart.yaml', 'apiVersion: v2\nname: parent\nversion: 1.0.0\ndependencies: [{name: web, version: 1.4.2}]\n'],
      ['values.yaml', 'web: {replicaCount: 4}\n'],
    ]);
    await write(parent, join(folder.path, 'parent'));
    await mkdir(join(folder.path, 'parent/charts'));
    await writeFile(join(folder.path, 'parent/charts/web-1.4.2.tgz'), await archiveOfChart('web', 'web'));
    const chart = await loadChart(join(folder.path, 'parent'));
    expect(chart.subcharts.get('web')?.templates.size).toBe(9);
    const out = join(folder.path, 'out');
    expect(await runBravo('package', 'from-chart', join(folder.path, 'parent'), '-o', out)).toMatchObject({
      code: 0,
      err: '',
    });
    expect(await readFile(join(out, 'params.yaml'), 'utf8')).toMatch(/name: WEB_REPLICA_COUNT[\s\S]*default: "4"/);
    expect(await runBravo('package', 'verify', out)).toMatchObject({ err: '', code: 0 });
    const packed = join(folder.path, 'web.tgz');
    await writeFile(packed, await archiveOfChart('web', 'web'));
    expect(await runBravo('package', 'from-chart', packed, '-o', out, '-w', '--name', 'site')).toMatchObject({
      code: 0,
    });
  });

  it('from-chart names what is wrong with a chart', async () => {
    const run = async (path: string) => (await runBravo('package', 'from-chart', path)).err;
    await folder.write({ 'a/values.yaml': '{}', 'b/Chart.yaml': 'name: b\n', 'b/templates/x.yaml': 'a\n{{ if }}\n' });
    expect(await run(join(folder.path, 'a'))).toContain('this is not a Helm chart');
    expect(await run(join(folder.path, 'b'))).toContain('templates/x.yaml:2');
    expect(await run(join(folder.path, 'absent'))).toContain('no such file or folder');
  });
});
