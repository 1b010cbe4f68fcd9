import { describe, expect, it } from 'vitest';
import { makeReport, type ReportedCase, type ReportedRun, type ReportedStep } from './report';
import { writeReport } from './write-report';

const START = Date.UTC(2026, 0, 2, 3, 4, 5);

function step(name: string, more: Partial<ReportedStep> = {}): ReportedStep {
  return { name, assertions: 1, startedMs: START, durationMs: 1_500, failure: undefined, ...more };
}

const failure = { message: 'failed in step 1-b', errors: ['the diff', 'resource "a" <b>\nand more'] };

function testCase(name: string, steps: readonly ReportedStep[]): ReportedCase {
  return { name, startedMs: START, endedMs: START + 2_000, steps };
}

function run(directories: readonly (readonly [path: string, cases: readonly ReportedCase[]])[]): ReportedRun {
  return {
    name: 'demo',
    startedMs: START,
    endedMs: START + 3_000,
    directories: directories.map(([path, cases]) => ({ path, startedMs: START, cases })),
    setupFailure: undefined,
  };
}

describe('the report of a run', () => {
  const small = run([['./e2e', [testCase('one', [step('setup', { assertions: 0 }), step('1-b', { failure })])]]]);

  it('HAR-070: XML has the attributes in KUTTL’s order, one space before each line, and escaped line breaks', () => {
    const when = 'timestamp="2026-01-02T03:04:05.000Z"';
    expect(writeReport(small, 'xml', 'step').split('\n')).toEqual([
      ' <testsuites name="demo" tests="2" failures="1" time="3.000">',
      `   <testsuite tests="2" failures="1" ${when} time="2.000" name="./e2e">`,
      `     <testsuite tests="2" failures="1" ${when} time="2.000" name="one">`,
      `       <testcase classname="one" name="setup" ${when} time="1.500" assertions="0"></testcase>`,
      `       <testcase classname="one" name="step 1-b" ${when} time="1.500" assertions="1">`,
      '         <failure message="failed in step 1-b" type="">resource &#34;a&#34; &lt;b&gt;&#xA;and more</failure>',
      '       </testcase>',
      '     </testsuite>',
      '   </testsuite>',
      ' </testsuites>',
    ]);
  });

  it('HAR-070: JSON has the same names, one space before each further line, and no assertions of 0', () => {
    const text = writeReport(small, 'json', 'step');
    expect(text.split('\n').slice(0, 3)).toEqual(['{', '   "name": "demo",', '   "tests": 2,']);
    const [setup, failed] = JSON.parse(text).testsuite[0].testsuite[0].testcase;
    expect(Object.keys(setup)).toEqual(['classname', 'name', 'timestamp', 'time']);
    expect(failed.failure).toEqual({ text: 'resource "a" <b>\nand more', message: 'failed in step 1-b' });
    expect(text).toContain('\\u003cb\\u003e');
  });

  it('HAR-071: counts are rolled up, with granularity step and test', () => {
    const steps = (count: number, failed: boolean) =>
      Array.from({ length: count }, (_, index) => step(`${index}-s`, failed && index === 0 ? { failure } : {}));
    const two = run([
      ['b/second', [testCase('d', steps(4, true)), testCase('c', steps(5, true))]],
      ['a/first', [testCase('a', steps(4, true)), testCase('b', steps(5, true))]],
    ]);
    const byStep = makeReport(two, 'step');
    expect([byStep.tests, byStep.failures]).toEqual([18, 4]);
    expect(byStep.testsuite.map(({ name, tests, failures }) => [name, tests, failures])).toEqual([
      ['a/first', 9, 2],
      ['b/second', 9, 2],
    ]);
    const byTest = makeReport(two, 'test');
    expect([byTest.tests, byTest.failures]).toEqual([4, 4]);
    expect(
      byTest.testsuite[1]?.testcase.map(({ classname, name, assertions }) => [classname, name, assertions]),
    ).toEqual([
      ['second', 'c', 5],
      ['second', 'd', 4],
    ]);
  });

  it('has a failed preparation directly below testsuites', () => {
    const failed = { ...run([]), setupFailure: 'command "x" failed' };
    expect(writeReport(failed, 'xml', 'step').split('\n')[1]).toBe(
      '   <failure message="command &#34;x&#34; failed" type=""></failure>',
    );
    expect(writeReport(failed, 'tap', 'step')).toContain('Bail out! command "x" failed');
  });

  it('is a tree of subtests in TAP', () => {
    expect(writeReport(small, 'tap', 'step').trimEnd().split('\n')).toEqual([
      'TAP version 14',
      '1..1',
      '# Subtest: ./e2e',
      '    1..1',
      '    # Subtest: one',
      '        1..2',
      '        ok 1 - setup',
      '          ---',
      '          duration_ms: 1500',
      '          ...',
      '        not ok 2 - step 1-b',
      '          ---',
      '          duration_ms: 1500',
      '          message: "failed in step 1-b"',
      '          error: "resource \\"a\\" <b>\\nand more"',
      '          ...',
      '    not ok 1 - one',
      'not ok 1 - ./e2e',
    ]);
  });
});
