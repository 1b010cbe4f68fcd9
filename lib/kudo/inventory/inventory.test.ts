import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { TEST_FINGERPRINTS } from '@/lib/kudo/secrets/fingerprint-fixture';
import { isSelfHealing } from '@/lib/kudo/self-heal/self-heal';
import type { OperatorVersion } from '@/lib/kudo/types';
import { afterPlan, type PlanTrace } from './after-plan';
import { formatInventory, INVENTORY_ANNOTATION, type Inventory, type InventoryEntry, inventoryOf } from './inventory';
import { manifestDigest } from './manifest-digest';
import { isStandingPlan, isSteadyObject } from './steady-state';
import { withoutStale } from './without-stale';

const entry = (name: string, digest = 'd'): InventoryEntry => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  phase: 'p',
  step: 's',
  task: 't',
  digest,
});
const key = (name: string) => `/ConfigMap/${name}`;
const trace = (plan: string, applied: string[], more: Partial<PlanTrace> = {}): PlanTrace => ({
  plan,
  uid: `${plan}-uid`,
  startedAt: '2026-01-01T00:00:00Z',
  isStanding: plan !== 'backup',
  isComplete: true,
  applied: applied.map((name) => entry(name)),
  removed: [],
  ...more,
});
const namesByHome = (inventory: Inventory | undefined) =>
  inventory?.runs.map((run) => `${run.for ?? run.plan}<${run.plan}: ${run.objects.map(({ name }) => name).join(' ')}`);

describe('the inventory', () => {
  const deployed = afterPlan(undefined, trace('deploy', ['a', 'b']));

  it('is what a standing plan applied', () => {
    expect(namesByHome(deployed)).toEqual(['deploy<deploy: a b']);
  });

  it('is replaced by a new execution of the same plan', () => {
    expect(namesByHome(afterPlan(deployed, trace('deploy', ['a'])))).toEqual(['deploy<deploy: a']);
  });

  it('gives another standing plan what that applied, and keeps the rest', () => {
    expect(namesByHome(afterPlan(deployed, trace('update', ['a', 'c'])))).toEqual([
      'deploy<deploy: b',
      'update<update: a c',
    ]);
  });

  it('takes nothing up that a plan by hand made, but renews what it touched', () => {
    const after = afterPlan(deployed, trace('backup', ['a', 'backup-job']));
    expect(namesByHome(after)).toEqual(['deploy<deploy: b', 'deploy<backup: a']);
    expect(namesByHome(afterPlan(after, trace('deploy', ['b'])))).toEqual(['deploy<deploy: b']);
  });

  it('stays unknown when a plan by hand is the first that ends', () => {
    expect(afterPlan(undefined, trace('backup', ['a']))).toBeUndefined();
  });

  it('loses what a plan deleted, and keeps what it deleted and made again', () => {
    expect(namesByHome(afterPlan(deployed, trace('backup', ['a'], { removed: [key('a'), key('b')] })))).toEqual([
      'deploy<backup: a',
    ]);
  });

  it('is unsettled after a standing plan that failed, until one is complete', () => {
    const failed = afterPlan(deployed, trace('update', ['c'], { isComplete: false, removed: [key('b')] }));
    expect(failed?.unsettled).toBe('update');
    expect(namesByHome(failed)).toEqual(['deploy<deploy: a b']);
    expect(afterPlan(failed, trace('backup', [], {}))?.unsettled).toBe('update');
    expect(afterPlan(failed, trace('deploy', ['a']))?.unsettled).toBeUndefined();
  });

  it('stays settled after a failed backup that touched nothing of it', () => {
    expect(afterPlan(deployed, trace('backup', ['job'], { isComplete: false }))?.unsettled).toBeUndefined();
    expect(afterPlan(deployed, trace('backup', ['a'], { isComplete: false }))?.unsettled).toBe('backup');
  });

  it('drops what older executions left and no template renders, unless a template cannot be rendered', () => {
    const both = afterPlan(deployed, trace('update', ['a'])) ?? { runs: [] };
    const names = { keys: new Set([key('a')]), volatile: new Set<string>(), kinds: [], problems: [] };
    expect(namesByHome(withoutStale(both, names, 'update-uid'))).toEqual(['update<update: a']);
    expect(withoutStale(both, { ...names, problems: ['x'] }, 'update-uid')).toBe(both);
    const volatile = new Set(['deploy/p/s ConfigMap']);
    expect(namesByHome(withoutStale(both, { ...names, volatile }, 'update-uid'))).toEqual([
      'deploy<deploy: b',
      'update<update: a',
    ]);
  });

  it('is the same after it was written and read, and unknown when it is no JSON', () => {
    const inventory: Inventory = {
      kept: 'all',
      unsettled: 'x',
      runs: afterPlan(deployed, trace('backup', ['a']))?.runs ?? [],
    };
    const read = (text: string | undefined) =>
      inventoryOf({ metadata: { annotations: { [INVENTORY_ANNOTATION]: text ?? '' } } });
    expect(read(formatInventory(inventory))).toEqual(inventory);
    for (const broken of ['', '{', '[]', '{"runs":1}']) expect(read(broken)).toBeUndefined();
    expect(inventoryOf({ metadata: {} })).toBeUndefined();
  });

  it('is left out when it would not fit into an annotation', () => {
    const many = Array.from({ length: 3_000 }, (_, index) => `object-with-a-long-name-${index}`);
    expect(formatInventory(afterPlan(undefined, trace('deploy', many)) ?? { runs: [] })).toBeUndefined();
  });
});

describe('what belongs to the steady state', () => {
  const version = {
    metadata: {},
    spec: { parameters: [{ name: 'A', trigger: 'resize' }] },
  } as unknown as OperatorVersion;
  it.each([
    ['deploy', true],
    ['update', true],
    ['upgrade', true],
    ['resize', true],
    ['backup', false],
    ['cleanup', false],
  ])('plan %s: %s', (plan, stands) => {
    expect(isStandingPlan(version, plan)).toBe(stands);
  });

  const object = (apiVersion: string, kind: string, rest: object = {}): KubeObject => ({
    apiVersion,
    kind,
    metadata: { name: 'x' },
    ...rest,
  });
  it.each<[string, KubeObject, boolean]>([
    ['a ConfigMap', object('v1', 'ConfigMap'), true],
    ['a Job', object('batch/v1', 'Job'), false],
    ['a CronJob', object('batch/v1', 'CronJob'), true],
    ['a Pod that runs on', object('v1', 'Pod', { spec: {} }), true],
    ['a Pod that ends', object('v1', 'Pod', { spec: { restartPolicy: 'Never' } }), false],
    ['one without a name', object('v1', 'ConfigMap', { metadata: {} }), false],
    [
      'one that says off',
      object('v1', 'ConfigMap', { metadata: { name: 'x', annotations: { 'bravo.kudo.dev/self-heal': 'off' } } }),
      false,
    ],
  ])('%s', (_name, candidate, stays) => {
    expect(isSteadyObject(candidate)).toBe(stays);
  });

  const annotated = (value?: string) => ({
    metadata: value === undefined ? {} : { annotations: { 'bravo.kudo.dev/self-heal': value } },
  });
  it.each([
    [undefined, undefined, false],
    [undefined, 'on', true],
    ['off', 'on', false],
    ['on', undefined, true],
    ['on', 'off', true],
    ['yes', 'on', false],
  ])('Instance says %s, version says %s: %s', (instance, operatorVersion, heals) => {
    expect(isSelfHealing(annotated(instance), annotated(operatorVersion))).toBe(heals);
  });
});

describe('the digest of a manifest', () => {
  const manifest = (metadata: object, data: object): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    data,
  });
  const plain = manifestDigest(manifest({ name: 'x' }, { a: '1', b: '2' }), TEST_FINGERPRINTS);

  it('knows no order of keys, no marks of plans and no record', () => {
    const annotations = { 'kudo.dev/plan': 'deploy', 'kudo.dev/last-applied-configuration': '{}' };
    expect(manifestDigest(manifest({ annotations, name: 'x' }, { b: '2', a: '1' }), TEST_FINGERPRINTS)).toBe(plain);
  });

  it('differs with everything else', () => {
    expect(manifestDigest(manifest({ name: 'x' }, { a: '1', b: '3' }), TEST_FINGERPRINTS)).not.toBe(plain);
    expect(manifestDigest(manifest({ name: 'x', labels: { l: '1' } }, { a: '1', b: '2' }), TEST_FINGERPRINTS)).not.toBe(
      plain,
    );
    expect(plain).toMatch(/^[0-9a-f]{16}$/);
  });
});
