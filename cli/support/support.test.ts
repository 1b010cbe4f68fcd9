import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatActedUpon } from '@/lib/kudo/plan/acted-upon';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { TEST_RECORD } from '@/lib/kudo/secrets/fingerprint-fixture';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { historyTree } from './history-tree';
import { formatMany, formatOne, formatTable, formatTree, readFormat } from './output';
import { readParameters } from './parameter-flags';
import { statusTree } from './plan-tree';

describe('parameters on the command line', () => {
  let folder: string;
  const file = (name: string) => join(folder, name);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bravo-cli-'));
    await writeFile(file('a'), 'a: 42\nb: 43\n');
    await writeFile(file('b'), 'a: 742\nc: [7, 7, 7]\n');
    await writeFile(file('nested'), 'A: [{foo: bar}]\n');
    await writeFile(file('null'), 'a:\nb: 1\n');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('PKG-158 CLI-014 all problems are named at once', async () => {
    await expect(readParameters({ parameter: ['foo', '=bar', 'foo=', 'x=y'] })).rejects.toThrow(
      'could not parse parameters: parameter not set: foo, parameter name can not be empty: =bar, parameter value can not be empty: foo=',
    );
  });

  it('PKG-159 PKG-166 the last value wins, and is everything after the first equals sign', async () => {
    expect(await readParameters({ parameter: ['a=1', 'b=2', 'a=3', 'x=a=b'] })).toEqual({ a: '3', b: '2', x: 'a=b' });
  });

  it('PKG-160 PKG-161 PKG-162 files come in their order, flags win over them', async () => {
    expect(await readParameters({ parameterFile: [file('a'), file('b')] })).toEqual({
      a: '742',
      b: '43',
      c: '- 7\n- 7\n- 7\n',
    });
    expect((await readParameters({ parameterFile: [file('b'), file('a')] })).a).toBe('42');
    expect(await readParameters({ parameter: ['a=1', 'c=2'], parameterFile: [file('a')] })).toEqual({
      a: '1',
      b: '43',
      c: '2',
    });
  });

  it('PKG-163 PKG-164 PKG-165 missing files, nested values, and nulls', async () => {
    await expect(readParameters({ parameterFile: ['missing-file'] })).rejects.toThrow(
      'error reading from parameter file missing-file: open missing-file: file does not exist',
    );
    expect(await readParameters({ parameterFile: [file('nested')] })).toEqual({ A: '- foo: bar\n' });
    await expect(readParameters({ parameterFile: [file('null')] })).rejects.toThrow('a has a null value');
  });
});

describe('output', () => {
  it('CLI-025 CLI-026 CLI-041 a tree has branches and an empty line at its end', () => {
    const tree = { value: '.', children: [{ value: 'a', children: [{ value: 'b' }] }, { value: 'c' }] };
    expect(formatTree(tree)).toBe('.\n├── a\n│\u00a0\u00a0 └── b\n└── c\n');
    expect(formatTree({ value: '.' })).toBe('.\n');
  });

  it('CLI-027 CLI-029 CLI-035 several objects as YAML and JSON', () => {
    expect(formatMany([{ a: 1 }, { b: 2 }], 'yaml')).toBe('---\na: 1\n\n---\nb: 2\n\n...');
    expect(formatMany([], 'json')).toBe('null');
    expect(formatOne({ a: 1 }, 'json')).toBe('{\n  "a": 1\n}');
    expect(() => readFormat('xml')).toThrow("invalid output format, only support 'yaml' or 'json' or empty");
  });

  it('CLI-040 CLI-046 tables are padded, joined by tabs, and cut words that are too long', () => {
    expect(
      formatTable([
        ['Name', 'X'],
        ['cpus', 'true'],
      ]),
    ).toBe('Name\tX   \ncpus\ttrue');
    expect(formatTable([['y'.repeat(60)]], 35)).toBe(`${'y'.repeat(32)}...`);
    expect(formatTable([['two words', 'b']], 5)).toBe('two  \tb\nwords\t ');
  });
});

describe('plans of an instance', () => {
  const operatorVersion: OperatorVersion = {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: { name: 'test-1.0' },
    spec: {
      plans: {
        zzzinvalid: {},
        validate: { phases: [{ name: 'v', steps: [{ name: 's' }] }] },
        deploy: { phases: [{ name: 'p', steps: [{ name: 'one' }] }] },
      },
    },
  };
  const instance: Instance = {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'test' },
    spec: { operatorVersion: { name: 'test-1.0' } },
    status: {
      planStatus: {
        deploy: {
          name: 'deploy',
          status: 'FATAL_ERROR',
          lastUpdatedTimestamp: '2019-10-17T01:01:01Z',
          phases: [
            {
              name: 'p',
              status: 'FATAL_ERROR',
              steps: [{ name: 'one', status: 'FATAL_ERROR', message: 'error detail' }],
            },
          ],
        },
        validate: { name: 'validate', status: 'NEVER_RUN' },
        zzzinvalid: { name: 'zzzinvalid', status: 'IN_PROGRESS' },
      },
    },
  };

  it('CLI-033 shows the last plan with its status and the others as not active, sorted', () => {
    const { zzzinvalid: _, ...planStatus } = instance.status?.planStatus ?? {};
    const tree = statusTree({ ...instance, status: { planStatus } }, operatorVersion);
    expect(
      formatTree(tree ?? { value: '' })
        .split('\n')
        .slice(1),
    ).toEqual([
      '└── test (Operator-Version: "test-1.0" Active-Plan: "deploy")',
      '    ├── Plan deploy ( strategy) [FATAL_ERROR], last updated 2019-10-17 01:01:01',
      '    │\u00a0\u00a0 └── Phase p ( strategy) [FATAL_ERROR]',
      '    │\u00a0\u00a0     └── Step one [FATAL_ERROR] (error detail)',
      '    ├── Plan validate ( strategy) [NOT ACTIVE]',
      '    │\u00a0\u00a0 └── Phase v ( strategy) [NOT ACTIVE]',
      '    │\u00a0\u00a0     └── Step s [NOT ACTIVE]',
      '    └── Plan zzzinvalid ( strategy) [NOT ACTIVE]',
      '',
    ]);
  });

  it('shows first why a plan is stalled, which change waits for it, and which was refused', () => {
    const condition = (type: string, status: 'True' | 'False', reason: string, message: string) => ({
      ...{ type, status, reason, message },
      lastTransitionTime: '2019-10-17T01:01:01Z',
    });
    const conditions = [
      condition('Ready', 'False', 'ChangeRefused', 'it cannot be.'),
      condition('Stalled', 'True', 'RepeatedErrors', 'Plan deploy makes no progress.'),
      condition('ChangePending', 'True', 'WaitsForPlan', 'A change waits until plan deploy ends.'),
    ];
    const shown = statusTree({ ...instance, status: { ...instance.status, conditions } }, operatorVersion);
    expect(
      formatTree(shown ?? { value: '' })
        .split('\n')
        .slice(2, 5),
    ).toEqual([
      '    ├── ChangeRefused: it cannot be.',
      '    ├── Stalled: Plan deploy makes no progress.',
      '    ├── ChangePending: A change waits until plan deploy ends.',
    ]);
  });

  it('shows the health checks before the plans', () => {
    const healthChecks = [
      { name: 'lag', status: 'Failing' as const, message: 'replication lag 95 s', pod: 'test-1' },
      { name: 'votes', status: 'Passing' as const, message: '3 of 3 members vote' },
    ];
    const shown = statusTree({ ...instance, status: { ...instance.status, healthChecks } }, operatorVersion);
    expect(shown?.children?.[0]?.children?.[0]).toEqual({
      value: 'Health checks',
      children: [
        { value: 'lag [Failing] (replication lag 95 s on test-1)' },
        { value: 'votes [Passing] (3 of 3 members vote)' },
      ],
    });
  });

  it('says that no controller has seen a change yet, so that nobody takes the end of the previous plan for the end of the change', () => {
    const record = formatActedUpon({ spec: { ...instance.spec, parameters: { A: 'before' } } }, TEST_RECORD);
    const annotations = { [ACTED_UPON_ANNOTATION]: record };
    const edited = { ...instance, metadata: { ...instance.metadata, annotations } };
    const lines = formatTree(statusTree(edited, operatorVersion) ?? { value: '' }).split('\n');
    expect(lines[2]).toContain('ChangeUnseen: no controller has seen the last change yet');
    const seen = { ...edited, spec: { ...instance.spec, parameters: { A: 'before' } } };
    expect(formatTree(statusTree(seen, operatorVersion) ?? { value: '' })).not.toContain('ChangeUnseen');
  });

  it('CLI-032 shows nothing when no plan ever ran', () => {
    expect(statusTree({ ...instance, status: {} }, operatorVersion)).toBeUndefined();
  });

  it('CLI-039 history tells finished, running and never run plans apart', () => {
    expect(historyTree(instance, []).children?.map(({ value }) => value)).toEqual([
      'deploy (last finished run at 2019-10-17T01:01:01 (FATAL_ERROR))',
      'validate (NEVER_RUN)',
      'zzzinvalid (is running)',
    ]);
  });
});
