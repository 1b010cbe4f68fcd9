import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { builtinSchema } from '@/lib/kube/builtin/builtin';
import { emptyObject } from './apply-schema';
import { type ApplyOutcome, applyForManager, LAST_APPLIED } from './server-side-apply';
import { updateManagedFields } from './update-managed-fields';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const schema = builtinSchema({ group: '', version: 'v1', kind: 'ConfigMap' }) ?? {};
const scope = { subresource: '', hasStatus: true };

const configMap = (data: JsonObject, annotations?: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: annotations === undefined ? { name: 'a' } : { name: 'a', annotations },
  data,
});

/** An object that `kubectl apply` made on the client's side, and its present state. */
function madeByClient(applied: JsonObject, annotation: string, now = applied): JsonObject {
  const after = configMap(now, { [LAST_APPLIED]: annotation });
  const managedFields = updateManagedFields({
    before: { ...emptyObject(schema), apiVersion: 'v1', kind: 'ConfigMap' },
    after,
    manager: 'kubectl-client-side-apply',
    apiVersion: 'v1',
    schema,
    nowMs: NOW,
    ...scope,
  });
  return { ...after, metadata: { ...(after.metadata as JsonObject), managedFields: managedFields ?? [] } };
}

const apply = (live: JsonObject, data: JsonObject, manager = 'kubectl'): ApplyOutcome =>
  applyForManager({ live, applied: configMap(data), manager, force: false, schema, nowMs: NOW, ...scope });

const conflictsOf = (outcome: ApplyOutcome): readonly string[] =>
  'conflicts' in outcome ? outcome.conflicts.map(({ field }) => field) : [];

describe("kubectl's server-side apply of what its client-side apply made", () => {
  const ours = JSON.stringify(configMap({ x: '1', y: '2' }));

  it('takes the fields that are still as the client applied them', () => {
    const outcome = apply(madeByClient({ x: '1', y: '2' }, ours), { x: '3', y: '2' });
    expect('object' in outcome && outcome.object.data).toEqual({ x: '3', y: '2' });
  });

  it('is a conflict for those that were changed since, and names no other', () => {
    const outcome = apply(madeByClient({ x: '1', y: '2' }, ours, { x: '1', y: '9' }), { x: '3', y: '4' });
    expect(conflictsOf(outcome)).toEqual(['.data.y']);
    expect('message' in outcome && outcome.message).toBe(
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.y',
    );
  });

  it('is a conflict for any other manager', () => {
    expect(conflictsOf(apply(madeByClient({ x: '1' }, ours), { x: '3' }, 'somebody'))).toEqual(['.data.x']);
  });

  it.each([
    ['no JSON', '{'],
    ['empty', ''],
    ['of another version', JSON.stringify({ ...configMap({ x: '1' }), apiVersion: 'v2' })],
    ['of another shape', JSON.stringify({ ...configMap({ x: '1' }), data: ['x'] })],
  ])('is a conflict when the annotation is %s', (_what, annotation) => {
    expect(conflictsOf(apply(madeByClient({ x: '1' }, annotation), { x: '3' }))).toEqual(['.data.x']);
  });
});
