import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBravo } from '@/test/programs/run-bravo';

const SHOP = `apiVersion: kudo.dev/v1beta1
name: shop
operatorVersion: 0.1.0
appVersion: 3.4.10
kubernetesVersion: 1.16.0
tasks:
- {name: base, kind: Apply, spec: {resources: [a.yaml, sub/b.yaml]}}
- {name: extra, kind: Toggle, spec: {parameter: EXTRA, resources: [a.yaml]}}
- {name: files, kind: Pipe, spec: {pod: pod.yaml, pipe: [{file: /out/x, kind: Secret, key: k}]}}
- {name: end, kind: Dummy, spec: {done: true}}
plans:
  validation:
    strategy: serial
    phases: [{name: look, strategy: parallel, steps: [{name: one, tasks: [end]}]}]
  deploy:
    strategy: serial
    phases:
    - {name: main, strategy: parallel, steps: [{name: all, tasks: [base, extra]}, {name: pipe, tasks: [files]}]}
`;
const PARAMS = `apiVersion: kudo.dev/v1beta1
parameters:
- {name: memory, default: 1Gi, description: How much}
- {name: EXTRA, default: "false", type: boolean, immutable: true}
- {name: cpus, required: true}
- {name: long, default: ${'x'.repeat(60)}}
`;
const WRONG = `apiVersion: kudo.dev/v1beta1
name: shop
kubernetesVersion: 1.16.0
tasks: [{name: a, kind: Apply, spec: {resources: [a.yaml]}}]
plans: {deploy: {strategy: serial, phases: [{name: m, strategy: serial, steps: [{name: s, tasks: [a]}]}]}}
`;
const WRONG_PARAMS = `apiVersion: kudo.dev/v1beta1
parameters:
- {name: cpus, default: "1"}
- {name: Cpus, default: "1"}
`;
const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {c: "{{ .Params.cpus }}"}\n';

/** The files of an archive, by name. */
async function unpack(archive: Uint8Array): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const tar = extract();
  tar.end(gunzipSync(archive));
  for await (const entry of tar) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry) if (chunk instanceof Uint8Array) chunks.push(chunk);
    if (entry.header.type === 'file') files.set(entry.header.name, Buffer.concat(chunks).toString());
  }
  return files;
}

describe('packages on the command line', () => {
  let folder: string;
  const path = (...parts: string[]) => join(folder, ...parts);
  const bravo = (...words: string[]) => runBravo('package', ...words);
  const write = async (files: { [name: string]: string }) => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path(name, '..'), { recursive: true });
      await writeFile(path(name), text);
    }
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bravo-package-'));
    await write({
      'shop/operator.yaml': SHOP,
      'shop/params.yaml': PARAMS,
      'shop/templates/a.yaml': `${CONFIG_MAP.replace('c:', 'm: "{{ .Params.memory }}{{ .Params.long }}", c:')}`,
      'shop/templates/sub/b.yaml': CONFIG_MAP,
      'shop/templates/pod.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i}]}\n',
      'shop/README.md': 'words',
      'wrong/operator.yaml': WRONG,
      'wrong/params.yaml': WRONG_PARAMS,
      'wrong/templates/a.yaml': CONFIG_MAP,
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('CLI-040 CLI-046 lists parameters as a table', async () => {
    expect((await bravo('list', 'parameters', path('shop'))).out).toBe(
      [
        `Name  \tDefault${' '.repeat(28)}\tRequired\tImmutable`,
        `EXTRA \tfalse${' '.repeat(30)}\ttrue    \ttrue     `,
        `cpus  \t${' '.repeat(35)}\ttrue    \tfalse    `,
        `long  \t${'x'.repeat(32)}...\ttrue    \tfalse    `,
        `memory\t1Gi${' '.repeat(32)}\ttrue    \tfalse    `,
        '',
      ].join('\n'),
    );
    expect((await bravo('list', 'parameters', path('shop'), '-d')).out).toContain('\tDescriptions\n');
  });

  it('CLI-044 CLI-045 (differs) lists names or required parameters alone, and not together', async () => {
    expect((await bravo('list', 'parameters', path('shop'), '--names', '--required')).err).toContain(
      "only one of the flags 'required', 'names', 'descriptions' can be set",
    );
    expect((await bravo('list', 'parameters', path('shop'), '--names')).out).toBe(
      'Name  \nEXTRA \ncpus  \nlong  \nmemory\n',
    );
    expect((await bravo('list', 'parameters', path('shop'), '-r')).out).toBe('Name\ncpus\n');
  });

  it('a list that install does not require is not among the required parameters', async () => {
    const params = 'parameters: [{name: zones, type: array, default: }, {name: racks, type: array, required: true}]\n';
    await write({ 'lists/operator.yaml': SHOP, 'lists/params.yaml': params, 'lists/templates/a.yaml': CONFIG_MAP });
    expect((await bravo('list', 'parameters', path('lists'), '-r')).out).toBe('Name \nracks\n');
  });

  it('CLI-041 CLI-042 lists plans as a tree, with tasks on demand', async () => {
    const beside = '│\u00a0\u00a0 ';
    const plans = await bravo('list', 'plans', path('shop'));
    expect(plans.out).toBe(
      [
        'plans',
        '├── deploy (serial)',
        `${beside}└── [phase]  main (parallel)`,
        `${beside}    ├── [step]  all`,
        `${beside}    ${beside}├── base`,
        `${beside}    ${beside}└── extra`,
        `${beside}    └── [step]  pipe`,
        `${beside}        └── files`,
        '└── validation (serial)',
        '    └── [phase]  look (parallel)',
        '        └── [step]  one',
        '            └── end',
        '',
        '',
      ].join('\n'),
    );
    const { out } = await bravo('list', 'plans', path('shop'), '-t');
    for (const line of ['[apply]  base', '├── a.yaml', '└── sub/b.yaml', '[toggle]  extra', '[parameter]  EXTRA']) {
      expect(out).toContain(line);
    }
    expect(out).toMatch(/\[pipe\] {2}files\n.*└── pod.yaml\n/);
    expect(out).toContain('[dummy]  end');
  });

  it('CLI-043 lists tasks as a table', async () => {
    expect((await bravo('list', 'tasks', path('shop'))).out).toBe(
      [
        'Name \tKind  \tResources          ',
        'base \tApply \t[a.yaml sub/b.yaml]',
        'extra\tToggle\t[a.yaml]           ',
        'files\tPipe  \tpod.yaml           ',
        'end  \tDummy \t[]                 ',
        '',
      ].join('\n'),
    );
  });

  it('CLI-056 CLI-010 PKG-046 PKG-047 prints the verification as text, YAML and JSON, and places on standard error', async () => {
    const error = 'parameter "Cpus" has a duplicate';
    const version = '"operatorVersion" is required and must be semver';
    const warning = 'parameter "Cpus" defined but not used.';
    const text = await bravo('verify', path('wrong'));
    expect(text.code).toBe(255);
    expect(text.out).toBe(
      [
        'Warnings'.padEnd(warning.length),
        warning,
        'Errors'.padEnd(version.length),
        error.padEnd(version.length),
        version,
        '',
      ].join('\n'),
    );
    expect(text.err).toContain(`params.yaml:4: ${error}\n`);
    expect(text.err).toMatch(/Error: found 2 package verification errors\n$/);
    expect(JSON.parse((await bravo('verify', path('wrong'), '-o', 'json')).out)).toEqual({
      errors: [error, version],
      warnings: [warning],
      valid: false,
    });
    expect((await bravo('verify', path('wrong'), '-o', 'yaml')).out).toBe(
      `errors:\n- ${error}\n- '${version}'\nvalid: false\nwarnings:\n- ${warning}\n\n`,
    );
    expect((await bravo('verify', path('wrong'), '-o', 'xml')).err).toContain('invalid output format');
    expect((await bravo('verify', path('wrong'), '--param-checks', 'foo')).err).toContain(
      'unknown parameter check: foo, must be one of [display hint desc type hasgroup groups all]',
    );
  });

  it('PKG-083 PKG-084 PKG-090 a package with warnings is valid; a child package beside it is ignored, one inside is packed', async () => {
    const child = '{name: c, kind: KudoOperator, spec: {package: ../child-operator}}';
    const plan = 'phases: [{name: m, strategy: serial, steps: [{name: s, tasks: [c]}]}]';
    await write({
      'parent/operator.yaml': `name: parent\noperatorVersion: 0.1.0\nkubernetesVersion: 1.16.0\ntasks: [${child}]\nplans: {deploy: {strategy: serial, ${plan}}}\n`,
      'parent/params.yaml': 'parameters: [{name: idle, default: "1"}]\n',
      'parent/README.md': 'words',
      'parent/inner/operator.yaml': 'name: inner\n',
      'parent/inner/params.yaml': '',
    });
    const { out, code } = await bravo('create', path('parent'), '-d', folder);
    expect(code).toBe(0);
    expect(out).toMatch(/^Warnings *\nparameter "idle" defined but not used\. *\npackage is valid\nPackage created: /);
    const files = await unpack(await readFile(path('parent-0.1.0.tgz')));
    expect([...files.keys()].sort()).toEqual([
      'README.md',
      'inner/operator.yaml',
      'inner/params.yaml',
      'operator.yaml',
      'params.yaml',
    ]);
  });

  it('CLI-055 PKG-028 PKG-085 PKG-086 PKG-088 PKG-089 PKG-091 PKG-092 packs a folder from anywhere', async () => {
    const home = process.cwd();
    process.chdir(folder);
    try {
      const made = await bravo('create', 'shop');
      expect([made.code, made.out]).toEqual([
        0,
        expect.stringContaining(`package is valid\nPackage created: ${path('shop-3.4.10_0.1.0.tgz')}\n`),
      ]);
      const bytes = await readFile('shop-3.4.10_0.1.0.tgz');
      expect((await unpack(bytes)).get('operator.yaml')).toBe(SHOP);
      expect((await bravo('create', './shop')).err).toContain('shop-3.4.10_0.1.0.tgz" already exists');
      expect((await bravo('create', path('shop/'), '-w')).code).toBe(0);
      expect((await readFile('shop-3.4.10_0.1.0.tgz')).equals(bytes)).toBe(true);
      expect((await bravo('list', 'tasks', './shop-3.4.10_0.1.0.tgz')).code).toBe(0);
      expect((await bravo('create', 'shop', '-d', 'none')).err).toContain('none" is not a proper directory');
      for (const [words, message] of [
        [[], 'expecting exactly one argument - directory of the operator or name of package'],
        [[''], 'path must be specified'],
        [['nothing'], 'no such file or directory'],
      ] as const) {
        expect((await bravo('create', ...words)).err).toContain(message);
      }
      expect((await stat('shop-3.4.10_0.1.0.tgz')).isFile()).toBe(true);
    } finally {
      process.chdir(home);
    }
  });
});
