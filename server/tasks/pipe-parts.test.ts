import { describe, expect, it } from 'vitest';
import { arrayAt, type JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { PARENT_PARAMETERS_ANNOTATION } from './kudo-operator';
import { parseEnvFile, pipeArtifact } from './pipe-artifact';
import { pipePod } from './pipe-pod';
import { firstFileOfTar } from './tar-file';

const init = { name: 'init', image: 'busybox', volumeMounts: [{ name: 'shared', mountPath: '/dir' }] };
const pod = (spec: JsonObject = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {},
  spec: { initContainers: [init], volumes: [{ name: 'shared', emptyDir: {} }], ...spec },
});
const made = (spec: JsonObject, file = '/dir/foo.txt') =>
  pipePod(pod(spec), 'name', [{ file, kind: 'Secret', key: 'k' }], 'busybox');
const emptyDir = (name: string) => ({ name, emptyDir: {} });

describe('pipePod', () => {
  it('PIP-06 PIP-15 keeps the init container and adds one that waits beside its files', () => {
    const { metadata, spec } = made({});
    expect(metadata).toEqual({ name: 'name', annotations: { 'kudo.dev/pipepod': 'true' } });
    expect(spec).toMatchObject({
      restartPolicy: 'OnFailure',
      initContainers: [init],
      containers: [{ name: 'waiter', image: 'busybox', volumeMounts: [{ name: 'shared', mountPath: '/dir' }] }],
    });
  });

  it('runs the container that waits as the one that makes the files, where its user is known', () => {
    const own = {
      runAsUser: 1000,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] },
      privileged: false,
    };
    const { spec } = made({ initContainers: [{ ...init, securityContext: own }] });
    expect(arrayAt(spec, 'containers')[0]).toMatchObject({
      securityContext: { runAsUser: 1000, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    });
    const nobody = made({ initContainers: [{ ...init, securityContext: { capabilities: { drop: ['ALL'] } } }] });
    expect(arrayAt(nobody.spec, 'containers')[0]).not.toHaveProperty('securityContext');
  });

  it.each<[string, JsonObject, string | undefined]>([
    ['PIP-07 containers', { containers: [{ name: 'c' }] }, undefined],
    ['PIP-08 no emptyDir', { volumes: [] }, undefined],
    ['PIP-08 two emptyDirs', { volumes: [emptyDir('shared'), emptyDir('more')] }, undefined],
    ['PIP-10 an init container without the volume', { initContainers: [{ name: 'init' }] }, undefined],
    ['PIP-11 a file elsewhere', {}, '/var/foo.txt'],
    ['PIP-12 a file that climbs out', {}, '/dir/../link'],
    ['PIP-14 another restartPolicy', { restartPolicy: 'Never' }, undefined],
  ])('%s is refused', (_what, spec, file) => {
    expect(() => made(spec, file)).toThrow('the pod of a pipe cannot be used');
  });

  it.each<[string, JsonObject, string | undefined]>([
    ['PIP-09 another volume', { volumes: [emptyDir('shared'), { name: 'c', configMap: { name: 'c' } }] }, undefined],
    ['PIP-12 a path that stays inside', {}, '/dir/int/../link'],
    ['PIP-13 inverted (a hidden file)', {}, '/dir/.hidden'],
  ])('%s is accepted', (_what, spec, file) => {
    expect(made(spec, file).kind).toBe('Pod');
  });
});

describe('pipeArtifact', () => {
  const bytes = Buffer.from('foo');
  const lines = Buffer.from('enemies=aliens\nlives=3\nallowed="true"\n');

  it.each([
    ['PIP-17 a file', { file: '/dir/foo.txt', kind: 'Secret' }, bytes, { type: 'Opaque', data: { 'foo.txt': 'Zm9v' } }],
    ['PIP-19 a file', { file: '/dir/bar.txt', kind: 'ConfigMap' }, bytes, { binaryData: { 'bar.txt': 'Zm9v' } }],
    [
      'PIP-18 an env file',
      { envFile: '/dir/e', kind: 'Secret' },
      lines,
      { data: { enemies: 'YWxpZW5z', lives: 'Mw==', allowed: 'InRydWUi' } },
    ],
    [
      'PIP-20 an env file',
      { envFile: '/dir/e', kind: 'ConfigMap' },
      lines,
      { data: { enemies: 'aliens', lives: '3', allowed: '"true"' } },
    ],
  ])('%s becomes what the pipe says', (_what, entry, content, expected) => {
    expect(pipeArtifact(entry, 'n', content)).toMatchObject({ ...expected, kind: entry.kind, metadata: { name: 'n' } });
  });

  it('PIP-21 refuses a line that is not KEY=VALUE', () => {
    expect(() => parseEnvFile('good=1\nbad line\n')).toThrow('line 2 of the env file');
    expect(() => parseEnvFile('..x=1\n')).toThrow('line 1 of the env file');
    expect([...parseEnvFile('\uFEFF# c\n\n  A=b=c \n')]).toEqual([['A', 'b=c ']]);
  });
});

describe('firstFileOfTar', () => {
  const header = (type: string, size: number) => {
    const block = Buffer.alloc(512);
    block.write('name');
    block.write(size.toString(8).padStart(11, '0'), 124);
    block.write(type, 156);
    return block;
  };

  const content = Buffer.concat([Buffer.from('hello'), Buffer.alloc(507)]);

  it('takes the file, whatever headers are put before its own', () => {
    const tar = Buffer.concat([header('x', 0), header('0', 5), content]);
    expect(Buffer.from(firstFileOfTar(tar)).toString()).toBe('hello');
  });

  it.each([
    ['a directory', '5'],
    ['a link', '2'],
    ['a link', '1'],
  ])('T-26 takes %s for no file', (what, type) => {
    expect(() => firstFileOfTar(Buffer.concat([header(type, 0), header('0', 5), content]))).toThrow(`it is ${what}`);
  });

  it('takes half a file for none', () => {
    expect(() => firstFileOfTar(header('0', 5))).toThrow('holds no whole file');
  });
});

it('names the annotation of a parent’s parameters under our own group', () => {
  expect(PARENT_PARAMETERS_ANNOTATION).toMatch(/^bravo\.kudo\.dev\//);
});
