import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTANCES, OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds/crds';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { createNamespace, type Engine, startEngine } from '@/test/engine/https-engine';
import { runBravo } from '@/test/programs/run-bravo';

interface Versions {
  readonly version: string;
  readonly app?: string;
  readonly kubernetes?: string;
  readonly parameters?: string;
  readonly needs?: string;
}

/** A package whose one step does nothing, or brings an Instance of another package. */
function operatorYaml(name: string, { version, app, kubernetes = '1.16.0', needs }: Versions): string {
  const task =
    needs === undefined
      ? '{name: t, kind: Dummy, spec: {done: true}}'
      : `{name: t, kind: KudoOperator, spec: {package: ${needs}}}`;
  return `name: ${name}
operatorVersion: ${version}
${app === undefined ? '' : `appVersion: ${app}\n`}kubernetesVersion: ${kubernetes}
tasks: [${task}]
plans:
  deploy: &plan {strategy: serial, phases: [{name: m, strategy: serial, steps: [{name: s, tasks: [t]}]}]}
  upgrade: *plan
`;
}

describe('installing and upgrading', () => {
  let engine: Engine;
  let folder: string;
  const path = (name: string) => join(folder, name);
  const bravo = (namespace: string, ...words: string[]) =>
    runBravo(...words, '-n', namespace, '--kubeconfig', path('kubeconfig'));
  const names = async (namespace: string, resource: typeof OPERATORS | typeof OPERATOR_VERSIONS) =>
    (await engine.api.list({ ...resource, namespace })).items.map(({ metadata }) => metadata.name);
  const instance = async (namespace: string, name: string) =>
    (await engine.api.get({ ...INSTANCES, namespace, name })) as Instance | undefined;
  const write = async (place: string, name: string, versions: Versions) => {
    await mkdir(path(place), { recursive: true });
    await writeFile(join(path(place), 'operator.yaml'), operatorYaml(name, versions));
    await writeFile(join(path(place), 'params.yaml'), `parameters: [${versions.parameters ?? ''}]\n`);
    return path(place);
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bravo-install-'));
    engine = await startEngine();
    await writeFile(path('kubeconfig'), engine.sandbox.kubeconfig);
    for (const name of ['known', 'checks', 'family', 'both']) await createNamespace(engine.api, name);
  });
  afterAll(async () => {
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('PKG-101 PKG-102 PKG-103 PKG-104 (improved) PKG-143 (improved) chooses among the versions in the cluster', async () => {
    const none = await bravo('known', 'install', 'foo', '--in-cluster');
    expect(none.err).toContain('failed to find any operator version in namespace known');
    for (const [version, app] of [
      ['0.1.0', '3.12.1'],
      ['0.2.0', '3.13.2'],
      ['0.3.0', undefined],
      ['0.3.0', '1.0.0'],
    ] as const) {
      const place = await write(`foo-${version}-${app}`, 'foo', { version, ...(app === undefined ? {} : { app }) });
      expect((await bravo('known', 'install', place, '--skip-instance')).code).toBe(0);
    }
    expect(await names('known', OPERATOR_VERSIONS)).toHaveLength(4);
    const chosen = async (name: string, ...words: string[]) => {
      const { code } = await bravo('known', 'install', 'foo', '--in-cluster', '--instance', name, ...words);
      return code === 0 ? (await instance('known', name))?.spec?.operatorVersion?.name : 'refused';
    };
    expect(await chosen('a')).toBe('foo-3.13.2-0.2.0');
    expect(await chosen('b', '--operator-version', '0.3.0')).toBe('foo-1.0.0-0.3.0');
    expect(await chosen('c', '--app-version', '3.12.1')).toBe('foo-3.12.1-0.1.0');
    expect(await chosen('d', '--app-version', '9')).toBe('refused');
    const unknown = await bravo('known', 'install', 'bar', '--in-cluster', '--app-version', '1');
    expect(unknown.err).toContain(
      'failed to resolve operator version in namespace "known" for name "bar", version "", appVersion "1"',
    );
  });

  it('PKG-136 PKG-137 PKG-138 PKG-139 PKG-142 requires the required parameters and an unused name', async () => {
    const parameters = '{name: p, required: true}, {name: p2, required: true}, {name: q, default: "1", required: true}';
    const place = await write('needs', 'needs', { version: '1.0.0', parameters });
    const install = (...words: string[]) => bravo('checks', 'install', place, ...words);
    expect((await install()).err).toBe('Error: missing required parameters during installation: p,p2\n');
    expect(await names('checks', OPERATORS)).toEqual([]);
    expect((await install('--skip-instance')).code).toBe(0);
    expect((await install('-p', 'p=1', '-p', 'p2=2')).out).toBe(
      'operatorversion checks/needs-1.0.0 already installed\ninstance checks/needs-instance created\n',
    );
    expect((await install('-p', 'p=1', '-p', 'p2=2')).err).toBe(
      "Error: cannot install instance 'needs-instance' because an instance of that name already exists in namespace checks\n",
    );
  });

  it('PKG-140 PKG-141 requires a Kubernetes version that is new enough, whatever its patch', async () => {
    const old = await write('future', 'future', { version: '1.0.0', kubernetes: '9.1.0' });
    expect((await bravo('checks', 'install', old)).err).toMatch(
      /^Error: expected kubernetes version of 9\.1\.0 is not supported with version: 1\.\d+\.\d+/,
    );
    const { major, minor } = { major: '1', minor: /^v1\.(\d+)/.exec(await serverVersion())?.[1] ?? '' };
    const patch = await write('patch', 'patch', { version: '1.0.0', kubernetes: `${major}.${minor}.99` });
    expect((await bravo('checks', 'install', patch)).code).toBe(0);
  });

  it('PKG-144 PKG-145 PKG-146 PKG-148 installs the packages that a new version needs', async () => {
    await write('child', 'child', { version: '0.0.1', app: '3.2.1' });
    const first = await write('parent-1', 'parent', { version: '1.0.0' });
    const second = await write('parent-2', 'parent', { version: '2.0.0', needs: '../child' });
    expect((await bravo('family', 'upgrade', second, '--instance', 'p')).err).toBe(
      'Error: instance family/p does not exist in the cluster\n',
    );
    expect((await bravo('family', 'install', first, '--instance', 'p', '--wait')).code).toBe(0);
    expect(await names('family', OPERATORS)).toEqual(['parent']);
    const upgrade = await bravo('family', 'upgrade', second, '--instance', 'p', '--wait');
    expect(upgrade.out).toBe(
      [
        'operator family/child created',
        'operatorversion family/child-3.2.1-0.0.1 created',
        'operatorversion family/parent-2.0.0 created',
        'instance family/p updated',
        '',
      ].join('\n'),
    );
    const versions = (await engine.api.list({ ...OPERATOR_VERSIONS, namespace: 'family' })).items as OperatorVersion[];
    const parent = versions.find(({ metadata }) => metadata.name === 'parent-2.0.0');
    expect(parent?.spec?.tasks?.[0]?.spec).toMatchObject({
      package: 'child',
      operatorVersion: '0.0.1',
      appVersion: '3.2.1',
    });
    expect((await instance('family', 'p-child'))?.spec?.operatorVersion?.name).toBe('child-3.2.1-0.0.1');
    expect((await instance('family', 'p'))?.status?.planStatus?.upgrade?.status).toBe('COMPLETE');
  });

  it('PKG-147 PKG-157 versions exist side by side, and an upgrade only goes to a newer one', async () => {
    const one = await write('both-1', 'both', { version: '1.0.0' });
    const two = await write('both-2', 'both', { version: '1.1.0' });
    expect((await bravo('both', 'install', one, '--instance', 'a', '--wait')).code).toBe(0);
    expect((await bravo('both', 'install', two, '--instance', 'b', '--wait')).code).toBe(0);
    expect((await bravo('both', 'upgrade', one, '--instance', 'b')).err).toBe(
      'Error: upgraded version 1.0.0 is the same or smaller as current version 1.1.0 -> not upgrading\n',
    );
    const other = await bravo('both', 'upgrade', path('parent-2'), '--instance', 'a');
    expect(other.err).toBe('Error: the package is operator parent, but the instance belongs to operator both\n');
  });

  async function serverVersion(): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await engine.api.raw({ method: 'GET', path: '/version' })).body) chunks.push(chunk);
    return JSON.parse(Buffer.concat(chunks).toString('utf8')).gitVersion;
  }
});
