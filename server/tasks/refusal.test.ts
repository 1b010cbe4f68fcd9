import { describe, expect, it } from 'vitest';
import { messageOf } from '@/lib/errors/errors';
import { errorOfResponse } from '@/server/kube/errors';
import { PatchPace } from './patch-pace';
import { explainRefusal, refusalOf } from './refusal';

const answer = (code: number, message: string, causes: object[] = []) =>
  errorOfResponse(code, JSON.stringify({ kind: 'Status', code, message, reason: 'X', details: { causes } }));
const cause = (field: string, message: string, reason = 'FieldValueInvalid') => ({ field, message, reason });
const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j', namespace: 'n' } };

describe('what the API refuses for good', () => {
  it.each<[string, unknown, string | undefined]>([
    ['an invalid field', answer(422, 'm', [cause('spec.x', 'must be positive')]), 'ObjectRefused'],
    ['a wrong shape', answer(400, 'json: cannot unmarshal number'), 'ObjectRefused'],
    ['too large', answer(413, 'too large'), 'ObjectRefused'],
    ['a 422 that names no field', answer(422, 'm'), undefined],
    ['forbidden', answer(403, 'exceeded quota'), undefined],
    ['a conflict', answer(409, 'm'), undefined],
    ['an outage', answer(500, 'm'), undefined],
    ['a denial of a webhook', answer(400, 'admission webhook "w" denied the request: no'), undefined],
    ['anything else', new Error('bug'), undefined],
  ])('%s', (_, error, reason) => {
    expect(refusalOf(error)).toBe(reason);
  });

  it.each([
    ['spec.template', 'Invalid value: "…": field is immutable', 'FieldValueInvalid'],
    [
      'spec',
      "Forbidden: updates to statefulset spec for fields other than 'replicas' are forbidden",
      'FieldValueForbidden',
    ],
    ['spec.clusterIPs[0]', 'Invalid value: []: may not change once set', 'FieldValueInvalid'],
  ])('%s that cannot be changed is named with the object and the way out', (field, message, reason) => {
    const error = explainRefusal(answer(422, 'm', [cause(field, message, reason)]), job);
    expect(messageOf(error)).toContain(`Job j: ${field} is immutable`);
    expect(messageOf(error)).toContain('kubectl delete job j -n n');
    expect(refusalOf(error)).toBe('ImmutableField');
  });

  it('repeats what the API says of the field, and not the value, which may be a page long', () => {
    const dump = 'Invalid value: core.PodTemplateSpec{Spec:core.PodSpec{Image:"a: b"}}: field is immutable';
    const error = explainRefusal(answer(422, 'm', [cause('spec.template', dump)]), job);
    expect(messageOf(error)).toMatch(/The API server says: field is immutable$/);
  });

  it('names the object and the reason of a patch of a wrong shape, and not the patch, which hides both', () => {
    const words = 'json: cannot unmarshal number 2.5 into Go struct field DeploymentSpec.spec.replicas of type int32';
    const dump = `Invalid value: "map[spec:map[replicas:2.5 note:${'x'.repeat(3000)}]]": ${words}`;
    const error = explainRefusal(answer(422, ` "" is invalid: patch: ${dump}`, [cause('patch', dump)]), job);
    expect(messageOf(error)).toBe(`Job j is refused: ${words}`);
    expect(refusalOf(error)).toBe('ObjectRefused');
  });

  it('names the object that the API could not read, and leaves the words of a webhook alone', () => {
    const words = 'Job in version "v1" cannot be handled as a Job: json: cannot unmarshal bool';
    const error = explainRefusal(answer(400, words), job);
    expect(messageOf(error)).toBe(`Job j is refused: ${words}`);
    expect(refusalOf(error)).toBe('ObjectRefused');
    const denied = answer(400, 'admission webhook "w" denied the request: no');
    expect(explainRefusal(denied, job)).toBe(denied);
  });

  it('names each field of a message that is longer than an error may be', () => {
    const dump = `Invalid value: core.Probe{Exec:"${'x'.repeat(3000)}"}: must be less`;
    const error = explainRefusal(
      answer(422, `m ${dump}`, [cause('spec.a', dump), cause('spec.b', 'Required value')]),
      job,
    );
    expect(messageOf(error)).toBe('Job j is refused: spec.a: must be less; spec.b: Required value');
  });

  it('leaves every other answer as it is', () => {
    for (const error of [answer(422, 'm', [cause('spec.x', 'must be positive')]), answer(403, 'immutable')]) {
      expect(explainRefusal(error, job)).toBe(error);
    }
  });
});

describe('PatchPace', () => {
  it('holds the same bytes back for ten seconds after they were written, and no others', () => {
    const pace = new PatchPace();
    expect(pace.isEarly('a', 0)).toBe(false);
    pace.written('a', 0, () => '{}');
    expect([pace.isEarly('a', 9_999), pace.isEarly('b', 1), pace.isEarly('a', 10_000)]).toEqual([true, false, false]);
  });

  it('knows what the API left out of what was written last', () => {
    const pace = new PatchPace();
    expect(pace.isLeftOut('a', '{}')).toBe(false);
    pace.written('a', 0, () => '{"spec":1}');
    expect([pace.isLeftOut('a', '{"spec":1}'), pace.isLeftOut('a', '{"spec":2}')]).toEqual([true, false]);
    pace.written('a', 1, () => '{}');
    expect(pace.isLeftOut('a', '{"spec":1}')).toBe(false);
  });
});
