import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { claimOrdinal, fatesAfterDeletion, fatesAfterPlan, groupFates, type PlannedClaims } from './volume-fate';

const claim = (name: string, parts: { owner?: string; label?: string } = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: {
    name,
    namespace: 'demo',
    uid: `uid-${name}`,
    ...(parts.label === undefined ? {} : { labels: { 'kudo.dev/instance': parts.label } }),
    ...(parts.owner === undefined
      ? {}
      : { ownerReferences: [{ apiVersion: 'v1', kind: 'Instance', name: 'db', uid: parts.owner }] }),
  },
  spec: { resources: { requests: { storage: '1Gi' } } },
  status: { capacity: { storage: '2Gi' } },
});

interface SetParts {
  readonly name?: string;
  readonly replicas?: number;
  readonly policy?: { readonly whenDeleted?: string; readonly whenScaled?: string };
  readonly start?: number;
}

const statefulSet = ({ name = 'db', replicas = 3, policy, start }: SetParts = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name, namespace: 'demo', uid: `uid-${name}` },
  spec: {
    replicas,
    ...(start === undefined ? {} : { ordinals: { start } }),
    ...(policy === undefined ? {} : { persistentVolumeClaimRetentionPolicy: policy }),
    volumeClaimTemplates: [{ metadata: { name: 'data' } }],
  },
});

const planned = (parts: Partial<PlannedClaims>): PlannedClaims => ({
  plan: 'cleanup',
  deleted: new Set(),
  statefulSets: [],
  claims: [],
  ...parts,
});

describe('claimOrdinal', () => {
  it('reads the number of the member, and nothing from another name', () => {
    expect(claimOrdinal('data-db-2', statefulSet())).toBe(2);
    expect(claimOrdinal('data-db-x', statefulSet())).toBeUndefined();
    expect(claimOrdinal('data-db-backup-0', statefulSet())).toBeUndefined();
    expect(claimOrdinal('logs-db-0', statefulSet())).toBeUndefined();
  });
});

describe('fatesAfterDeletion', () => {
  const fates = (claims: readonly KubeObject[], parts: Partial<Parameters<typeof fatesAfterDeletion>[0]> = {}) =>
    fatesAfterDeletion({
      claims,
      instance: 'db',
      statefulSets: [statefulSet()],
      going: new Set(['uid-instance', 'uid-db']),
      cleanup: undefined,
      ...parts,
    });

  it('keeps the claims of a StatefulSet that nothing deletes', () => {
    expect(fates([claim('data-db-0')])).toEqual([
      { name: 'data-db-0', size: '2Gi', goes: false, because: 'StatefulSet db keeps the claims of its members.' },
    ]);
  });

  it('deletes what the cleanup plan names, and keeps the member that it does not name', () => {
    const cleanup = planned({ deleted: new Set(['PersistentVolumeClaim/data-db-0', 'StatefulSet/db']) });
    expect(fates([claim('data-db-0'), claim('data-db-1')], { cleanup }).map(({ name, goes }) => [name, goes])).toEqual([
      ['data-db-0', true],
      ['data-db-1', false],
    ]);
    expect(fates([claim('data-db-0')], { cleanup })[0]?.because).toBe('Plan cleanup deletes it.');
  });

  it('deletes what the Instance owns', () => {
    expect(fates([claim('db-backups', { owner: 'uid-instance' })])).toEqual([
      { name: 'db-backups', size: '2Gi', goes: true, because: 'Instance db owns it.' },
    ]);
  });

  it('deletes the claims of a StatefulSet that goes and whose policy says so', () => {
    const statefulSets = [statefulSet({ policy: { whenDeleted: 'Delete' } })];
    const found = fates([claim('data-db-0')], { statefulSets });
    expect(found[0]).toMatchObject({ goes: true, because: 'StatefulSet db deletes its claims (whenDeleted: Delete).' });
    expect(fates([claim('data-db-0')], { statefulSets, going: new Set() })[0]?.goes).toBe(false);
  });

  it('keeps a labelled claim that nothing owns, and does not name claims of others', () => {
    expect(fates([claim('loose', { label: 'db' }), claim('data-web-0'), claim('other', { label: 'web' })])).toEqual([
      { name: 'loose', size: '2Gi', goes: false, because: 'No plan deletes it and nothing owns it.' },
    ]);
  });
});

describe('fatesAfterPlan', () => {
  const claims = ['data-db-0', 'data-db-1', 'data-db-2', 'data-db-3'].map((name) => claim(name));
  const live = [statefulSet({ replicas: 4 })];
  const resized = (parts: SetParts) => planned({ plan: 'resize', statefulSets: [statefulSet(parts)] });

  it('deletes the claims of removed members when the StatefulSet says so', () => {
    const plan = resized({ replicas: 2, policy: { whenScaled: 'Delete' } });
    const because = 'StatefulSet db deletes the claims of removed members (whenScaled: Delete).';
    expect(fatesAfterPlan({ claims, live, plan })).toEqual([
      { name: 'data-db-2', size: '2Gi', goes: true, because },
      { name: 'data-db-3', size: '2Gi', goes: true, because },
    ]);
  });

  it('keeps them otherwise, and says so', () => {
    const fates = fatesAfterPlan({ claims, live, plan: resized({ replicas: 3 }) });
    expect(fates).toMatchObject([{ name: 'data-db-3', goes: false }]);
  });

  it('counts members from the first ordinal', () => {
    const plan = resized({ replicas: 2, start: 1, policy: { whenScaled: 'Delete' } });
    const found = fatesAfterPlan({ claims, live: [statefulSet({ replicas: 3, start: 1 })], plan });
    expect(found.map(({ name }) => name)).toEqual(['data-db-3']);
  });

  it('names no claim when the number of members stays or grows', () => {
    expect(fatesAfterPlan({ claims, live, plan: resized({ replicas: 5 }) })).toEqual([]);
  });

  it('deletes the claims that the plan deletes by name', () => {
    const plan = planned({ plan: 'restore', deleted: new Set(['PersistentVolumeClaim/data-db-1']) });
    expect(fatesAfterPlan({ claims, live, plan })).toEqual([
      { name: 'data-db-1', size: '2Gi', goes: true, because: 'Plan restore deletes it.' },
    ]);
  });

  it('names the volumes that grow, with their new size', () => {
    const sized = (storage: string, annotations = {}): KubeObject => {
      const set = statefulSet({ replicas: 2 });
      const template = { metadata: { name: 'data' }, spec: { resources: { requests: { storage } } } };
      const replicas = { replicas: 2, volumeClaimTemplates: [template] };
      return { ...set, metadata: { ...set.metadata, annotations }, spec: replicas };
    };
    const bound = [...claims, claim('db-backups')].map((each) => ({
      ...each,
      status: { phase: 'Bound', capacity: { storage: '1Gi' } },
    }));
    const backups = { ...claim('db-backups'), spec: { resources: { requests: { storage: '8Gi' } } } };
    const grows = { 'bravo.kudo.dev/grow-volumes': 'true' };
    const plan = (set: KubeObject) => planned({ plan: 'grow', statefulSets: [set], claims: [backups] });
    const fates = fatesAfterPlan({ claims: bound, live: [sized('1Gi')], plan: plan(sized('4Gi', grows)) });
    const because = 'StatefulSet db grows it to 4Gi. No pod restarts because of it.';
    const backup = {
      name: 'db-backups',
      size: '1Gi',
      goes: false,
      because: 'Plan grow grows it to 8Gi.',
      growsTo: '8Gi',
    };
    expect(fates).toEqual([
      { name: 'data-db-0', size: '1Gi', goes: false, because, growsTo: '4Gi' },
      { name: 'data-db-1', size: '1Gi', goes: false, because, growsTo: '4Gi' },
      backup,
    ]);
    expect(groupFates(fates)).toEqual({ going: [], growing: fates, staying: [] });
    // Without the annotation Kubernetes refuses the change, and the same size changes nothing.
    for (const set of [sized('4Gi'), sized('1Gi', grows)]) {
      expect(fatesAfterPlan({ claims: bound, live: [sized('1Gi')], plan: plan(set) })).toEqual([backup]);
    }
  });
});
