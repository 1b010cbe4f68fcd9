import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeYaml } from '@/lib/yaml/yaml';
import { tarFiles } from '@/server/packages/tar-files';
import { createNamespace, type Engine, startEngine } from '@/test/engine/https-engine';
import { runBravo } from '@/test/programs/run-bravo';

const STRATEGY = 'serial';
const OPERATOR = {
  apiVersion: 'kudo.dev/v1beta1',
  name: 'leaky',
  operatorVersion: '0.1.0',
  kubernetesVersion: '1.25.0',
  tasks: [{ name: 'all', kind: 'Apply', spec: { resources: ['all.yaml'] } }],
  plans: {
    deploy: { strategy: STRATEGY, phases: [{ name: 'a', strategy: STRATEGY, steps: [{ name: 'a', tasks: ['all'] }] }] },
  },
};
const PARAMETERS = {
  apiVersion: 'kudo.dev/v1beta1',
  parameters: [
    { name: 'DB_PASSWORD', default: 'canary-default' },
    { name: 'ANSWER', default: 'canary-described', secret: true },
    { name: 'SHORT_TOKEN', default: 'c4n' },
    { name: 'LEVEL', default: 'info' },
  ],
};
/** An operator that puts its secrets where none belong. */
const TEMPLATE = `apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Name }}", annotations: {note: "answer {{ .Params.ANSWER }}"}}
data:
  url: "postgres://admin:{{ .Params.DB_PASSWORD }}@db/{{ .Params.LEVEL }}"
  short: "{{ .Params.SHORT_TOKEN }}"
  encoded: "{{ .Params.DB_PASSWORD | b64enc }}"
---
apiVersion: v1
kind: Secret
metadata: {name: "{{ .Name }}-secret"}
stringData: {password: "{{ .Params.DB_PASSWORD }}", generated: "canary-generated-0123"}
---
apiVersion: v1
kind: Pod
metadata: {name: "{{ .Name }}-pod"}
spec:
  containers:
  - name: main
    image: busybox
    command: [sh, -c, "echo password {{ .Params.DB_PASSWORD }}; echo generated canary-generated-0123; sleep 1000"]
    env: [{name: ANSWER, value: "{{ .Params.ANSWER }}"}]
`;

describe('secrets in diagnostics', () => {
  let engine: Engine;
  let folder: string;
  const bravo = (...words: string[]) => runBravo(...words, '-n', 'lab', '--kubeconfig', join(folder, 'kubeconfig'));

  /** Every file of an archive by its path, logs uncompressed. */
  const archive = async (name: string): Promise<Map<string, string>> => {
    const entries = await readdir(join(folder, name), { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const texts = paths.map(async (path): Promise<[string, string]> => {
      const bytes = await readFile(path);
      return [path, (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')];
    });
    return new Map(await Promise.all(texts));
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bravo-leaks-'));
    engine = await startEngine();
    await writeFile(join(folder, 'kubeconfig'), engine.sandbox.kubeconfig);
    await createNamespace(engine.api, 'lab');
    await mkdir(join(folder, 'leaky/templates'), { recursive: true });
    await writeFile(join(folder, 'leaky/operator.yaml'), writeYaml(OPERATOR));
    await writeFile(join(folder, 'leaky/params.yaml'), writeYaml(PARAMETERS));
    await writeFile(join(folder, 'leaky/templates/all.yaml'), TEMPLATE);
    await bravo('install', join(folder, 'leaky'), '--instance', 'one', '-p', 'DB_PASSWORD=canary-set', '--wait');
    await engine.api.create(
      { group: '', version: 'v1', resource: 'events', namespace: 'lab' },
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'leak', namespace: 'lab' },
        involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'one-pod', namespace: 'lab' },
        type: 'Warning',
        reason: 'Leak',
        message: 'login with canary-set and canary-user-made was refused',
      },
    );
    await engine.api.create(
      { group: '', version: 'v1', resource: 'secrets', namespace: 'lab' },
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'theirs', namespace: 'lab' },
        stringData: { password: 'canary-user-made' },
      },
    );
  });
  afterAll(async () => {
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('no file holds the value of a Secret or of a secret parameter, in any encoding', async () => {
    expect((await bravo('diagnostics', 'collect', '--instance', 'one', '-O', join(folder, 'diag'))).code).toBe(0);
    const files = await archive('diag');
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const canaries = ['canary-', base64('canary-set'), base64('canary-default'), 'c4n'];
    for (const [path, text] of files) {
      for (const canary of canaries) expect(text.includes(canary), `${canary} in ${path}`).toBe(false);
    }
    const all = [...files].map(([path, text]) => `${path}\n${text}`).join('\n');
    expect(all).toContain('url: postgres://admin:‹secret›@db/info');
    expect(all).toContain('message: login with ‹secret› and ‹secret› was refused');
    expect(all).toContain('password ‹secret›');
    expect([...files.keys()].filter((path) => /secret/i.test(path.slice(folder.length)))).toEqual([]);
  });

  it('neither does an archive, with the records of runs, nor what is shown of it', async () => {
    const file = join(folder, 'one.tgz');
    expect((await bravo('diagnostics', 'collect', '--instance', 'one', '--archive', file)).code).toBe(0);
    const files = await tarFiles(file, await readFile(file), { bytes: 1e8, files: 1_000 });
    const texts = [...files].map(([path, { content }]): [string, string] => [
      path,
      (path.endsWith('.gz') ? gunzipSync(content) : content).toString('utf8'),
    ]);
    const shown = await bravo('diagnostics', 'show', file);
    const logs = await bravo('diagnostics', 'show', file, '--logs', 'one-pod');
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    for (const [path, text] of [...texts, ['show', shown.out], ['logs', logs.out]] as const) {
      for (const canary of ['canary-', base64('canary-set'), base64('canary-default'), 'c4n']) {
        expect(text.includes(canary), `${canary} in ${path}`).toBe(false);
      }
    }
    expect(texts.filter(([path]) => /^run_.*\.json$/.test(path))).toHaveLength(1);
    expect(logs.out).toContain('password ‹secret›');
    expect(shown.out).toContain('login with ‹secret› and ‹secret› was refused');
  });
});
