import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { ConfigSources } from './config-sources';
import { containerCommand, containerEnvironment, resourceOf } from './environment';
import { filesOfVolume } from './volume-files';

const pod: KubeObject = {
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-0', namespace: 'shop', labels: { app: 'web' } } },
  ...{ spec: { containers: [] }, status: { podIP: '10.0.0.7' } },
};
const object = (kind: string, more: JsonObject): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'one' },
  ...more,
});
const sources: ConfigSources = {
  object: (kind, namespace, name) => {
    if (namespace !== 'shop' || name !== 'one') return undefined;
    if (kind === 'Secret') return object('Secret', { data: { word: Buffer.from('s3cret').toString('base64') } });
    return object('ConfigMap', { data: { color: 'red', 'sub.conf': 'x=1' } });
  },
  services: () => [
    {
      ...object('Service', { spec: { clusterIP: '10.1.2.3', ports: [{ name: 'http', port: 80 }] } }),
      metadata: { name: 'my-db', namespace: 'shop' },
    },
  ],
};
const environment = (container: JsonObject) =>
  Object.fromEntries(containerEnvironment(pod, container, sources, { PATH: '/bin' }));

describe('the environment of a container', () => {
  it('has values, fields, keys, and all keys of an object with a prefix', () => {
    const env = environment({
      envFrom: [{ prefix: 'C_', configMapRef: { name: 'one' } }],
      env: [
        { name: 'PLAIN', value: 'a' },
        { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
        { name: 'WORD', valueFrom: { secretKeyRef: { name: 'one', key: 'word' } } },
        { name: 'NONE', valueFrom: { secretKeyRef: { name: 'two', key: 'word', optional: true } } },
      ],
    });
    expect(env).toMatchObject({
      PATH: '/bin',
      HOSTNAME: 'web-0',
      PLAIN: 'a',
      IP: '10.0.0.7',
      WORD: 's3cret',
      C_color: 'red',
    });
    expect(env).not.toHaveProperty('NONE');
  });

  it('names the Services of the namespace', () => {
    expect(environment({})).toMatchObject({
      ...{ MY_DB_SERVICE_HOST: '10.1.2.3', MY_DB_SERVICE_PORT: '80', MY_DB_SERVICE_PORT_HTTP: '80' },
      ...{ MY_DB_PORT: 'tcp://10.1.2.3:80', MY_DB_PORT_80_TCP_ADDR: '10.1.2.3' },
    });
  });

  it('expands references to what came before, and leaves others as they are', () => {
    const env = environment({
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '$(A)-$(MISSING)-$$(A)' },
      ],
    });
    expect(env.B).toBe('1-$(MISSING)-$(A)');
  });

  it('fails with the words of the kubelet for what does not exist', () => {
    const missing = { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'one', key: 'other' } } }] };
    expect(() => environment(missing)).toThrow("couldn't find key other in Secret shop/one");
    expect(() => environment({ envFrom: [{ secretRef: { name: 'two' } }] })).toThrow('secret "two" not found');
  });
});

describe('the command of a container', () => {
  const image = { entrypoint: ['entry'], command: ['serve'] };
  it('is that of the image where the pod says nothing, and replaces its arguments with its entrypoint', () => {
    const env = new Map([['NAME', 'x']]);
    expect(containerCommand({}, image, env)).toEqual(['entry', 'serve']);
    expect(containerCommand({ args: ['-c', '$(NAME)'] }, image, env)).toEqual(['entry', '-c', 'x']);
    expect(containerCommand({ command: ['sh'] }, image, env)).toEqual(['sh']);
  });
});

it('a limit is divided by the divisor and rounded up', () => {
  const container = { resources: { limits: { memory: '100Mi', cpu: '1500m' } } };
  expect(resourceOf(pod, container, { resource: 'limits.memory', divisor: '1Mi' })).toBe('100');
  expect(resourceOf(pod, container, { resource: 'limits.cpu' })).toBe('2');
});

describe('the files of a volume', () => {
  const files = (volume: JsonObject) =>
    filesOfVolume(volume, pod, sources, () => 'token')?.map(({ path, content, mode }) => [
      path,
      content.toString(),
      mode.toString(8),
    ]);

  it('are all keys, or the items with their own paths and modes', () => {
    expect(files({ configMap: { name: 'one' } })).toEqual([
      ['color', 'red', '644'],
      ['sub.conf', 'x=1', '644'],
    ]);
    const items = [{ key: 'word', path: 'etc/password', mode: 0o400 }];
    expect(files({ secret: { secretName: 'one', items, defaultMode: 0o440 } })).toEqual([
      ['etc/password', 's3cret', '400'],
    ]);
  });

  it('come from several sources in a projected volume', () => {
    const downwardAPI = { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] };
    const projected = {
      sources: [{ secret: { name: 'one' } }, { downwardAPI }, { serviceAccountToken: { path: 'token' } }],
    };
    expect(files({ projected })?.map(([path, content]) => `${path}=${content}`)).toEqual([
      'word=s3cret',
      'labels=app="web"',
      'token=token',
    ]);
  });

  it('are nothing for an emptyDir', () => {
    expect(files({ emptyDir: {} })).toBeUndefined();
  });
});
