import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { formatInventory, INVENTORY_ANNOTATION, type InventoryEntry } from '@/lib/kudo/inventory/inventory';
import type { Instance } from '@/lib/kudo/types';
import { scriptedApi, statusBody } from '@/server/kube/test-api';
import { missingWorkloads } from './missing-workloads';

function entry(kind: string, name: string): InventoryEntry {
  const apiVersion = kind === 'StatefulSet' ? 'apps/v1' : 'v1';
  return { apiVersion, kind, name, phase: 'p', step: 's', task: 't', digest: '' };
}

function instanceWith(...objects: InventoryEntry[]): Instance {
  const runs = [{ plan: 'deploy', uid: 'u', startedAt: '', objects }];
  const annotations = { [INVENTORY_ANNOTATION]: formatInventory({ runs }) ?? '' };
  return { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', metadata: { name: 'db', namespace: 'shop', annotations } };
}

/** What is missing, and which paths were asked for, when the watched copy and the API server say so. */
async function ask(instance: Instance, { isSynced = true, status = 404 } = {}) {
  const existing: KubeObject = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'x' } };
  const { api, requests } = scriptedApi(() =>
    status === 200 ? { body: existing } : { status, body: statusBody(status, 'Refused') },
  );
  const cache = { get: () => undefined, isSynced };
  const missing = await missingWorkloads({ api, watches: { workloads: new Map([['statefulsets', cache]]) } }, instance);
  return { missing, paths: requests.map(({ path }) => path) };
}

describe('workloads that are missing', () => {
  const one = instanceWith(entry('StatefulSet', 'db'), entry('ConfigMap', 'db-config'));

  it('are those of the inventory that neither the watched copy nor the API server has', async () => {
    expect(await ask(one)).toEqual({
      missing: ['StatefulSet db is missing'],
      paths: ['/apis/apps/v1/namespaces/shop/statefulsets/db'],
    });
  });

  it('are not claimed when the watched copy is late, or what it has may not be read', async () => {
    expect((await ask(one, { status: 200 })).missing).toEqual([]);
    expect((await ask(one, { status: 403 })).missing).toEqual([]);
  });

  it('are not looked for before the watched copy is complete, nor for an Instance without an inventory', async () => {
    expect((await ask(one, { isSynced: false })).paths).toEqual([]);
    expect((await ask({ ...one, metadata: { name: 'db', namespace: 'shop' } })).paths).toEqual([]);
  });

  it('are three at the most', async () => {
    const many = instanceWith(...['a', 'b', 'c', 'd'].map((name) => entry('StatefulSet', name)));
    expect((await ask(many)).missing).toHaveLength(3);
  });
});
