import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { TEST_FINGERPRINTS } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { Instance } from '@/lib/kudo/types';
import {
  formatInventory,
  INVENTORY_ANNOTATION,
  type Inventory,
  type InventoryEntry,
  type InventoryRun,
  inventoryOf,
} from './inventory';
import { isStillLeftBehind, sharedClaimsOf, withLeftBehind } from './left-behind';
import { manifestDigest } from './manifest-digest';

const entry = (kind: string, name: string, digest = 'd'): InventoryEntry => ({
  apiVersion: 'v1',
  kind,
  name,
  phase: 'p',
  step: 's',
  task: 't',
  digest,
});
const role = (name: string) => entry('Role', name);
const run = (uid: string, ...objects: InventoryEntry[]): InventoryRun => ({
  plan: 'deploy',
  uid,
  startedAt: '',
  objects,
});
const nothing = { applied: [], removed: [] };
const isShared = ({ kind }: InventoryEntry) => kind === 'Role';
const behind = (inventory: Inventory) =>
  (inventory.behind ?? []).map(({ uid, objects }) => `${uid}: ${objects.map(({ name }) => name).join(' ')}`);

describe('what executions leave behind in the cluster', () => {
  const before = { runs: [run('1', role('a'), role('b'), entry('ConfigMap', 'c'))] };
  const after = { runs: [run('2', role('a'))] };

  it('is what is on the list no more and in no namespace, with the execution that gave it', () => {
    expect(behind(withLeftBehind(before, after, nothing, isShared))).toEqual(['1: b']);
    expect(withLeftBehind(undefined, after, nothing, isShared)).toEqual(after);
  });

  it('is not what a plan deleted, nor what one applied again', () => {
    expect(withLeftBehind(before, after, { applied: [], removed: ['/Role/b'] }, isShared)).toEqual(after);
    expect(withLeftBehind(before, after, { applied: [role('b')], removed: [] }, isShared)).toEqual(after);
    const back = withLeftBehind({ ...after, behind: [run('1', role('b'))] }, before, nothing, isShared);
    expect(back).toEqual(before);
  });

  it('is remembered over later executions, once, by the newest that gave it', () => {
    const known = { runs: [run('2', role('b'))], behind: [run('1', role('b'), role('old'))] };
    expect(behind(withLeftBehind(known, after, nothing, isShared))).toEqual(['1: old', '2: b']);
  });

  it('is at most fifty objects, and gives way when the annotation is full', () => {
    const many = Array.from({ length: 80 }, (_, index) => role(`r${index}`));
    const left = withLeftBehind({ runs: [run('1', ...many)] }, after, nothing, isShared);
    expect(left.behind?.flatMap(({ objects }) => objects)).toHaveLength(50);
    const wide = { ...after, behind: [run('1', entry('Role', 'x'.repeat(130_000)))] };
    const text = formatInventory(wide) ?? '';
    expect(inventoryOf({ metadata: { annotations: { [INVENTORY_ANNOTATION]: text } } })).toEqual(after);
    const all = formatInventory(left) ?? '';
    expect(inventoryOf({ metadata: { annotations: { [INVENTORY_ANNOTATION]: all } } })).toEqual(left);
  });
});

describe('an object that was left behind', () => {
  const manifest = { apiVersion: 'v1', kind: 'Role', metadata: { name: 'b' } };
  const live = (annotations: { [name: string]: string } = {}, more: object = {}): KubeObject => ({
    ...manifest,
    metadata: {
      name: 'b',
      labels: { 'kudo.dev/instance': 'app' },
      annotations: {
        'kudo.dev/last-plan-execution-uid': '1',
        'kudo.dev/last-applied-configuration': JSON.stringify(manifest),
        ...annotations,
      },
      ...more,
    },
  });
  const left = entry('Role', 'b', manifestDigest(manifest, TEST_FINGERPRINTS));
  const isLeft = (object: KubeObject) => isStillLeftBehind(run('1', left), left, object, 'app');

  it('is one that nobody applied since', () => {
    expect(isLeft(live())).toBe(true);
    expect(isLeft(live({ 'kudo.dev/last-plan-execution-uid': '2' }))).toBe(false);
    expect(isLeft(live({ 'kudo.dev/last-applied-configuration': '{"kind":"Role","metadata":{"name":"c"}}' }))).toBe(
      false,
    );
    expect(isLeft(live({}, { labels: { 'kudo.dev/instance': 'other' } }))).toBe(false);
    expect(isLeft(live({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }))).toBe(false);
  });
});

describe('what another Instance has of the cluster', () => {
  const instance = (more: { annotations?: { [name: string]: string }; spec?: object; ran?: boolean }): Instance => ({
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'other', namespace: 'n', annotations: more.annotations ?? {} },
    spec: { ...more.spec },
    status: { planStatus: { deploy: { name: 'deploy', status: more.ran === false ? 'NEVER_RUN' : 'COMPLETE' } } },
  });
  const noted = (inventory: Inventory) => ({ [INVENTORY_ANNOTATION]: formatInventory(inventory) ?? '' });

  it('is on its inventory, or nothing before a plan ran', () => {
    expect(sharedClaimsOf(instance({ annotations: noted({ runs: [run('1', role('a'))] }) }))).toEqual(
      new Set(['/Role/a']),
    );
    expect(sharedClaimsOf(instance({ ran: false }))).toEqual(new Set());
  });

  it('is not known while a plan runs, after one that failed, and without an inventory', () => {
    expect(sharedClaimsOf(instance({}))).toBe('unknown');
    expect(sharedClaimsOf(instance({ annotations: noted({ runs: [], unsettled: 'deploy' }) }))).toBe('unknown');
    const spec = { planExecution: { planName: 'deploy', uid: '3' } };
    expect(sharedClaimsOf(instance({ annotations: noted({ runs: [] }), spec }))).toBe('unknown');
  });
});
