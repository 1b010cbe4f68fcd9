import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { judgeExpectation, judgeForbidden } from './judge';
import { readSourceObjects, type SourceObject } from './source-object';

function source(text: string): SourceObject {
  const [object] = readSourceObjects('00-assert.yaml', text).objects;
  if (object === undefined) throw new Error('no object');
  return object;
}

const POD = 'apiVersion: v1\nkind: Pod\n';
const pod = (name: string, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'ns', uid: 'u1', resourceVersion: '7' },
  ...more,
});
const running = { status: { phase: 'Running' } };
const EXPECTED = `${POD}metadata:\n  name: web\nstatus:\n  phase: Running\n`;

describe('what an expectation says of objects', () => {
  it('HAR-030: a named object matches', () => {
    expect(judgeExpectation(source(EXPECTED), [pod('web', running)])).toEqual([]);
  });

  it('HAR-030: a named object that differs gives the place, the diff, and KUTTL’s sentence', () => {
    expect(judgeExpectation(source(EXPECTED), [pod('web', { status: { phase: 'Pending' } })])).toEqual([
      [
        '00-assert.yaml:6: Pod:ns/web .status.phase: expected "Running", actual "Pending"',
        '--- Pod:web',
        '+++ Pod:ns/web',
        '@@ -2,5 +2,6 @@',
        ' kind: Pod',
        ' metadata:',
        '   name: web',
        '+  namespace: ns',
        ' status:',
        '-  phase: Running',
        '+  phase: Pending',
      ].join('\n'),
      'resource Pod:ns/web: .status.phase: value mismatch, expected: Running != actual: Pending',
    ]);
  });

  it('HAR-032: no object of the kind', () => {
    expect(judgeExpectation(source(`${POD}status: {phase: Running}`), [])).toEqual([
      '00-assert.yaml:1: no resources matched of kind: /v1, Kind=Pod',
    ]);
  });

  it('HAR-031: of several objects one match is enough', () => {
    const expected = source(`${POD}status: {phase: Running}`);
    expect(judgeExpectation(expected, [pod('a'), pod('b', running)])).toEqual([]);
    expect(judgeExpectation(expected, [pod('a'), pod('b')])).toHaveLength(4);
  });

  it('HAR-033: a forbidden object is an error only while it matches', () => {
    const forbidden = source(EXPECTED);
    expect(judgeForbidden(forbidden, [pod('web', running)])).toContain('matched error assertion');
    expect(judgeForbidden(forbidden, [pod('web')])).toBeUndefined();
    expect(judgeForbidden(forbidden, [])).toBeUndefined();
  });

  it('HAR-034: the sentence counts further objects that match', () => {
    const forbidden = source(`${POD}status: {phase: Running}`);
    const pods = [pod('pod1', running), pod('pod2'), pod('pod3')];
    const at = '00-assert.yaml:1: ';
    expect(judgeForbidden(forbidden, pods)).toBe(`${at}resource /v1, Kind=Pod pod1 matched error assertion`);
    expect(judgeForbidden(forbidden, [...pods, pod('pod4', running)])).toBe(
      `${at}resource /v1, Kind=Pod pod1 (and 1 other resources) matched error assertion`,
    );
  });

  it('HAR-035: long fields that the expectation does not mention are left out of the diff', () => {
    const long = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`field${index}`, 'x']));
    const actual = pod('web', { spec: long, status: { phase: 'Pending' } });
    actual.metadata.managedFields = [long];
    const [shown = ''] = judgeExpectation(source(EXPECTED), [actual]);
    expect(shown).not.toContain('field3');
    expect(shown.match(/\[\.\.\. elided field over 10 lines long \.\.\.\]/g)).toHaveLength(2);
  });

  it('shows no value of a Secret and of a secret parameter', () => {
    const secret = source('apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: aHVudGVyMg==}');
    const annotations = { 'kudo.dev/last-applied-configuration': '{"data":{"a":"Y2FuYXJ5"}}' };
    const actual = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', annotations }, data: { a: 'Y2FuYXJ5' } };
    const instance = source('apiVersion: kudo.dev/v1beta1\nkind: Instance\nspec: {parameters: {PASSWORD: hunter2}}');
    const text = [
      ...judgeExpectation(secret, [actual]),
      ...judgeExpectation(instance, [
        {
          apiVersion: 'kudo.dev/v1beta1',
          kind: 'Instance',
          metadata: { name: 'i' },
          spec: { parameters: { PASSWORD: 'canary' } },
        },
      ]),
    ].join('\n');
    expect(text).toContain('.data.a: the value is another one; it is not shown');
    expect(text).not.toMatch(/aHVudGVyMg|Y2FuYXJ5|hunter2|canary/);
  });

  it('names what is missing, list lengths and types at their line', () => {
    const expected = source(`${POD}metadata: {name: web}\nspec:\n  a: 1\n`);
    const place = (actual: KubeObject) => judgeExpectation(expected, [actual])[0]?.split('\n')[0];
    expect(place(pod('web', { spec: {} }))).toBe(
      '00-assert.yaml:5: Pod:ns/web .spec.a: expected 1, the key is missing',
    );
    expect(place(pod('web', { spec: { a: '1' } }))).toBe(
      '00-assert.yaml:5: Pod:ns/web .spec.a: expected 1 (number), actual "1" (string)',
    );
    const list = source(`${POD}spec:\n  l: [1]\n`);
    expect(judgeExpectation(list, [pod('web', { spec: { l: [1, 2] } })])[0]).toContain(
      '00-assert.yaml:4: Pod:ns/web .spec.l: expected 1 entry, actual 2 entries',
    );
  });
});
