import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import type { Cache, CacheListener } from '@/server/kube/cache';
import { ConfiguredNotices } from './configured-notices';

/** A cache that the test fills. */
function filled() {
  const listeners: CacheListener[] = [];
  const cache = { isSynced: true, onChange: (listener: CacheListener) => listeners.push(listener) } as unknown as Cache;
  const emit = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject) => {
    for (const listener of listeners) listener({ type, object, previous: undefined });
  };
  return { cache, emit };
}

const configMap = (namespace: string, yaml: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'hooks', namespace, annotations: { last: 'https://very-secret' } },
  data: { 'notices.yaml': yaml },
});

const subject = { namespace: 'shop', plan: 'backup', labels: {} };

describe('the notices of a cluster', () => {
  const configMaps = filled();
  const secrets = filled();
  const notices = new ConfiguredNotices({ ConfigMap: configMaps.cache, Secret: secrets.cache }, 'bravo');

  it('come from ConfigMaps and Secrets, those of the controller first', () => {
    configMaps.emit('ADDED', configMap('shop', '{name: a, url: "https://a"}'));
    configMaps.emit('ADDED', configMap('bravo', '{name: b, url: "https://b", namespaces: ["*"]}'));
    const data = { 'notices.yaml': Buffer.from('{name: c, urlFrom: url}').toString('base64'), url: 'aHR0cHM6Ly9j' };
    secrets.emit('ADDED', { ...configMap('shop', ''), kind: 'Secret', data });
    expect(notices.about(subject)('COMPLETE')).toEqual([
      'ConfigMap/bravo/hooks/b',
      'ConfigMap/shop/hooks/a',
      'Secret/shop/hooks/c',
    ]);
    expect(notices.find('Secret/shop/hooks/c')?.notice?.url).toBe('https://c');
    expect(JSON.stringify(notices.all().map(({ object }) => object))).not.toContain('very-secret');
  });

  it('that cannot be read any more are told from those that are gone', () => {
    configMaps.emit('MODIFIED', configMap('shop', '{name: a, url: "ftp://a"}'));
    expect(notices.find('ConfigMap/shop/hooks/a')).toMatchObject({ notice: undefined, configured: { notices: [] } });
    configMaps.emit('MODIFIED', configMap('shop', '{name: other, url: "https://a"}'));
    expect(notices.find('ConfigMap/shop/hooks/a')).toBeUndefined();
    configMaps.emit('DELETED', configMap('shop', ''));
    expect(notices.find('ConfigMap/shop/hooks/other')).toBeUndefined();
  });
});
