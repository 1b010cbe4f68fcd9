import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { readTestAssert } from './definitions';
import { judgeExpressions } from './expressions';
import { readSourceObjects } from './source-object';

const REF = 'resourceRefs:\n- {apiVersion: v1, kind: Pod, name: web, ref: pod}\n';

function read(text: string) {
  const [source] = readSourceObjects(
    '00-assert.yaml',
    `apiVersion: kuttl.dev/v1beta1\nkind: TestAssert\n${text}`,
  ).objects;
  if (source === undefined) throw new Error('no TestAssert');
  return readTestAssert(source).expressions;
}

const pod: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, status: { phase: 'Running' } };
const judge = (text: string) => judgeExpressions(read(REF + text), new Map([['pod', pod]]));

describe('expressions of a TestAssert', () => {
  it('HAR-047: one true expression is enough for assertAny', () => {
    const any = "assertAny:\n- celExpr: pod.status.phase == 'Failed'\n- celExpr: pod.status.phase == 'Running'\n";
    expect(judge(any)).toEqual([]);
    expect(judge("assertAny:\n- celExpr: pod.status.phase == 'Failed'\n")).toEqual([
      `no expression evaluated to true: expression "pod.status.phase == 'Failed'" evaluated to 'false'`,
    ]);
  });

  it('HAR-047: one false expression fails assertAll', () => {
    const all = "assertAll:\n- celExpr: pod.metadata.name == 'web'\n- celExpr: pod.status.phase == 'Failed'\n";
    expect(judge(all)).toEqual([
      `not all assertAll expressions evaluated to true: expression "pod.status.phase == 'Failed'" evaluated to 'false'`,
    ]);
    expect(judge('assertAll:\n- celExpr: pod.status.missing == 1\n')[0]).toContain('no such key: missing');
  });

  it('HAR-048: what is wrong with a reference or an expression is named with its line', () => {
    const ref = (fields: string) => () => read(`resourceRefs:\n- {${fields}}\n`);
    expect(ref('apiVersion: v1, kind: Pod, name: web')).toThrow(
      '00-assert.yaml:4: .resourceRefs[0]: ref not specified',
    );
    expect(ref('apiVersion: a/b/c, kind: Pod, name: web, ref: p')).toThrow(
      'apiVersion not of the format (<group>/)<version>',
    );
    expect(ref('apiVersion: v1, name: web, ref: p')).toThrow('kind not specified');
    expect(ref('apiVersion: v1, kind: Pod, ref: p')).toThrow('name not specified');
    expect(() => read(`${REF}assertAll:\n- celExpr: pod.status ==\n`)).toThrow(
      /00-assert.yaml:6: .assertAll\[0\].celExpr: compilation failed/,
    );
  });
});
