import { describe, expect, it } from 'vitest';
import { readSourceObjects } from './source-object';
import { defaultStepSeconds, readTestSuite } from './suite';

const read = (text: string) =>
  readTestSuite(readSourceObjects('kudo-test.yaml', `apiVersion: kuttl.dev/v1beta1\nkind: TestSuite\n${text}`));

describe('the file of a suite', () => {
  it('HAR-068: the time of a step is 30 s unless the suite says otherwise', () => {
    expect([defaultStepSeconds(read('').suite), defaultStepSeconds(read('timeout: 45').suite)]).toEqual([30, 45]);
  });

  it('HAR-069: the report is named kuttl-report unless the suite says otherwise', () => {
    expect([read('').suite.reportName, read('reportName: mine').suite.reportName]).toEqual(['kuttl-report', 'mine']);
  });

  it('HAR-072: a pattern that is none is an error with its line', () => {
    expect(() => read('ignoreFiles: ["["]')).toThrow(
      'kudo-test.yaml:3: .ignoreFiles: invalid ignore pattern "[": syntax error in pattern',
    );
  });

  it('reads every field, and names objects of other kinds', () => {
    const { suite, ignored } = read(
      'testDirs: [a]\nparallel: 2\nreportFormat: XML\nreportGranularity: test\nnamespace: mine\ncommands:\n- command: x\n---\nkind: Other\napiVersion: v1\n',
    );
    expect([suite.testDirs, suite.parallel, suite.reportFormat, suite.reportGranularity]).toEqual([
      ['a'],
      2,
      'json',
      'test',
    ]);
    expect(ignored).toEqual(['unknown object type: v1, Kind=Other']);
  });

  it('names a field of the wrong type with its line', () => {
    expect(() => read('testDirs:\n- a\ntimeout: soon\n')).toThrow('kudo-test.yaml:5: .timeout: must be a whole number');
    expect(() => read('commands:\n- command: x\n- timeout: a\n')).toThrow(
      'kudo-test.yaml:5: .commands[1].timeout: must be a whole number',
    );
  });
});
