import { describe, expect, it } from 'vitest';
import { compareManifests, parameterDifferences, runsBetween } from './comparison';
import type { RunRecord } from './record-format';
import { testRun } from './runs-fixture';

const configMap = (name: string, value: string, annotations: { [name: string]: string } = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, annotations },
  data: { value },
});

const recordOf = (...manifests: RunRecord['tasks'][number]['manifests']): RunRecord => ({
  tasks: [{ phase: 'p', step: 's', task: 't', objects: [], manifests }],
});

describe('the runs between two runs', () => {
  it('are those of the same Instance, the oldest first', () => {
    const runs = [testRun(4), testRun(2), testRun(3), testRun(1), testRun(5), testRun(3, {}, { instanceUid: 'other' })];
    expect(runsBetween(runs, testRun(1), testRun(4)).map(({ metadata }) => metadata.uid)).toEqual(['run 2', 'run 3']);
  });
});

describe('parameters of two runs', () => {
  it('are secret when one of the runs says so', () => {
    const later = [
      testRun(2, { changes: [{ name: 'A', before: 'f1', after: 'f2', secret: true }] }),
      testRun(3, { changes: [{ name: 'A', before: 'f2', after: 'f3' }] }),
    ];
    expect(parameterDifferences(testRun(1), later)).toEqual([{ name: 'A', from: 'f1', to: 'f3', isSecret: true }]);
  });

  it('are not compared across Instances', () => {
    expect(parameterDifferences(testRun(1), [testRun(2, {}, { instanceUid: 'other' })])).toBeUndefined();
  });
});

describe('manifests of two runs', () => {
  it('differ by content or by being in one run alone, and not by the marks of KUDO', () => {
    const mark = (uid: string) => ({ 'kudo.dev/last-plan-execution-uid': uid });
    const before = recordOf(configMap('same', '1', mark('a')), configMap('other', '1'), configMap('old', '1'));
    const after = recordOf(configMap('same', '1', mark('b')), configMap('other', '2'), configMap('new', '1'));
    const compared = compareManifests({ run: testRun(1), record: before }, { run: testRun(2), record: after });
    expect(compared).toMatchObject({
      alike: 1,
      differences: [
        { name: 'ConfigMap new', before: undefined },
        { name: 'ConfigMap old', after: undefined },
        { name: 'ConfigMap other', before: { data: { value: '1' } }, after: { data: { value: '2' } } },
      ],
    });
  });

  it('are not compared with a run that has no record', () => {
    const after = { run: testRun(2), record: recordOf(configMap('a', '1')) };
    expect(compareManifests({ run: testRun(1), record: undefined }, after)).toEqual({ missingOf: 'db-backup-1' });
  });
});
