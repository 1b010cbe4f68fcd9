import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { EXECUTION_UID_ANNOTATION, LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';
import { TEST_FINGERPRINTS } from '@/lib/kudo/secrets/fingerprint-fixture';
import { manifestDigest } from './manifest-digest';
import { isAsApplied } from './shared-object';

const role = (verb: string, uid = 'u1'): KubeObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'r', annotations: { [EXECUTION_UID_ANNOTATION]: uid } },
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: [verb] }],
});
const entryOf = (object: KubeObject) => ({
  ...{ apiVersion: object.apiVersion, kind: object.kind, name: 'r', phase: 'p', step: 's', task: 't' },
  digest: manifestDigest(object, TEST_FINGERPRINTS),
});
const live = (record: KubeObject | undefined, now: KubeObject) => {
  const annotations = record === undefined ? {} : { [LAST_APPLIED_ANNOTATION]: JSON.stringify(record) };
  return { ...now, metadata: { ...now.metadata, annotations } };
};

describe('a cluster-scoped object that several Instances may give', () => {
  it('is as a plan left it while its record says so, whatever became of the object and whichever run wrote it', () => {
    expect(isAsApplied(entryOf(role('get')), live(role('get'), role('get')))).toBe(true);
    expect(isAsApplied(entryOf(role('get')), live(role('get', 'u2'), role('delete')))).toBe(true);
  });

  it('is not when another has applied it otherwise, or nothing says what was applied', () => {
    expect(isAsApplied(entryOf(role('get')), live(role('list'), role('get')))).toBe(false);
    expect(isAsApplied(entryOf(role('get')), live(undefined, role('get')))).toBe(false);
    expect(isAsApplied({ ...entryOf(role('get')), digest: '' }, live(role('get'), role('get')))).toBe(false);
  });
});
