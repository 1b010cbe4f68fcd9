import { describe, expect, it } from 'vitest';
import { limits } from '@/lib/limits/limits';
import type { Condition } from '../types';
import { formatHealthChecks, parseHealthChecks } from './definitions';
import { firstLine, mergeOutcomes, outcomeOfExit, SIMULATED_PREFIX } from './outcome';
import { healthEvent, healthStatuses, withHealth, writeDueInMs } from './results';
import { checkTemplates, mapCheckTexts } from './texts';
import type { HealthCheck, HealthCheckStatus, HealthOutcome } from './types';

const lag: HealthCheck = {
  name: 'lag',
  kind: 'exec',
  mode: 'all',
  pods: { role: '{{ .Name }}-replica' },
  command: ['sh', '-c', 'lag {{ .Params.MAX }}'],
  message: 'A replica is late.',
  periodMs: 30_000,
  timeoutMs: 5_000,
};

describe('the annotation of health checks', () => {
  it('gives back what was written', () => {
    expect(parseHealthChecks(formatHealthChecks([lag]))).toEqual([lag]);
  });

  it('leaves out what is not a check, doubles, and more than the limit', () => {
    const text = JSON.stringify([
      7,
      { name: 'Big', kind: 'exec', command: ['a'] },
      { name: 'a', kind: 'sql', command: ['a'] },
      { name: 'a', kind: 'exec', command: [] },
      { name: 'a', kind: 'tcp' },
      ...Array.from({ length: 30 }, (_, n) => ({
        name: `t${n % 15}`,
        kind: 'tcp',
        port: '80',
        period: '1ms',
        timeout: '9h',
      })),
    ]);
    const checks = parseHealthChecks(text);
    expect(checks.map(({ name }) => name)).toEqual(Array.from({ length: limits.healthChecks }, (_, n) => `t${n}`));
    expect(checks[0]).toMatchObject({ mode: 'all', periodMs: 5_000, timeoutMs: 60_000 });
    expect(parseHealthChecks('{')).toEqual([]);
    expect(parseHealthChecks('{}')).toEqual([]);
    expect(parseHealthChecks(undefined)).toEqual([]);
  });

  it('has templates in labels and commands, by their place', () => {
    expect([...checkTemplates(lag)]).toEqual([
      ['pods.role', '{{ .Name }}-replica'],
      ['command[2]', 'lag {{ .Params.MAX }}'],
    ]);
    expect(mapCheckTexts(lag, (_, text) => text.toUpperCase()).command).toEqual(['SH', '-C', 'LAG {{ .PARAMS.MAX }}']);
  });
});

describe('what a command says', () => {
  const run = (exitCode: number, stdout = '', stderr = '') => outcomeOfExit(lag, 'db-1', { exitCode, stdout, stderr });

  it('passes with exit code 0, fails with 1, and is unknown with any other', () => {
    expect(run(0, 'lag 3 s\nmore\n')).toEqual({ verdict: 'Passing', message: 'lag 3 s', pod: 'db-1' });
    expect(run(1, 'lag 95 s')).toEqual({ verdict: 'Failing', message: 'lag 95 s', pod: 'db-1' });
    expect(run(127, '', 'sh: lag: not found\n')).toMatchObject({
      verdict: 'Unknown',
      message: 'exit code 127: sh: lag: not found',
    });
  });

  it('is the message of the check when it fails without a word', () => {
    expect(run(1)).toMatchObject({ message: 'A replica is late' });
    const { message: _, ...silent } = lag;
    expect(outcomeOfExit(silent, 'db-1', { exitCode: 1, stdout: '', stderr: '' }).message).toBe(
      'health check lag failed',
    );
  });

  it('says nothing when the sandbox only simulates the program', () => {
    expect(run(1, '', `${SIMULATED_PREFIX}: psql did nothing\n`).verdict).toBe('Simulated');
  });

  it('is one line of at most 200 characters, without control characters', () => {
    expect(firstLine('\n \u001b[31mred\u0007\ttext\u202e\r\nsecond')).toBe('[31mred text');
    expect([...firstLine('ä'.repeat(500))]).toHaveLength(200);
    expect(firstLine('')).toBe('');
  });
});

describe('the outcomes of several pods', () => {
  const outcome = (verdict: HealthOutcome['verdict'], message: string, pod: string) => ({ verdict, message, pod });
  const pods = [
    outcome('Passing', 'lag 1 s', 'a'),
    outcome('Failing', 'lag 95 s', 'b'),
    outcome('Unknown', 'late', 'c'),
  ];

  it('are the worst one when all have to pass', () => {
    expect(mergeOutcomes({ mode: 'all' }, pods)).toEqual(pods[1]);
    expect(
      mergeOutcomes(
        { mode: 'all' },
        pods.filter(({ verdict }) => verdict !== 'Failing'),
      ),
    ).toEqual(pods[2]);
  });

  it('are the best one when any has to pass', () => {
    expect(mergeOutcomes({ mode: 'any' }, pods)).toEqual(pods[0]);
  });

  it('name each pod where the texts differ', () => {
    const two = [outcome('Passing', 'lag 1 s', 'a'), outcome('Passing', 'lag 2 s', 'b')];
    expect(mergeOutcomes({ mode: 'all' }, two)).toEqual(outcome('Passing', 'a: lag 1 s; b: lag 2 s', ''));
    const same = [outcome('Passing', 'ok', 'a'), outcome('Passing', 'ok', 'b')];
    expect(mergeOutcomes({ mode: 'all' }, same)).toEqual(outcome('Passing', 'ok', ''));
  });
});

const at = (second: number) =>
  `2026-01-01T00:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}Z`;
const ms = (second: number) => Date.parse(at(second));
const stored = (status: HealthCheckStatus['status'], message: string, second: number): HealthCheckStatus => ({
  name: 'lag',
  ...(status === undefined ? {} : { status }),
  message,
  pod: 'db-1',
  lastTransitionTime: at(0),
  lastProbeTime: at(second),
});
const known = (verdict: HealthOutcome['verdict'], message: string, second: number) => [
  { name: 'lag', outcome: { verdict, message, pod: 'db-1', atMs: ms(second) } },
];

describe('the status of health checks', () => {
  it('keeps the time of the last change of a verdict', () => {
    const before = [stored('Passing', 'lag 3 s', 0)];
    expect(healthStatuses(known('Passing', 'lag 4 s', 30), before)).toEqual([
      { ...stored('Passing', 'lag 4 s', 30), lastTransitionTime: at(0) },
    ]);
    expect(healthStatuses(known('Failing', 'lag 95 s', 30), before)).toEqual([
      { ...stored('Failing', 'lag 95 s', 30), lastTransitionTime: at(30) },
    ]);
  });

  it('keeps what is stored of a check that has not run yet, and drops one that the operator has not', () => {
    const before = [stored('Passing', 'lag 3 s', 0), { name: 'old', status: 'Failing' as const }];
    expect(healthStatuses([{ name: 'lag', outcome: undefined }], before)).toEqual([before[0]]);
  });

  it('is written at once for a verdict, once a minute for a text, and every ten minutes otherwise', () => {
    const before = [stored('Passing', 'lag 3 s', 0)];
    const due = (verdict: HealthOutcome['verdict'], text: string, second: number) =>
      writeDueInMs(before, healthStatuses(known(verdict, text, second), before), ms(second));
    expect(due('Failing', 'lag 95 s', 5)).toBe(0);
    expect(due('Passing', 'lag 4 s', 5)).toBe(55_000);
    expect(due('Passing', 'lag 4 s', 60)).toBe(0);
    expect(due('Passing', 'lag 3 s', 60)).toBe(540_000);
    expect(due('Passing', 'lag 3 s', 600)).toBe(0);
    expect(writeDueInMs([], [], ms(0))).toBeUndefined();
    expect(writeDueInMs(before, [], ms(5))).toBe(0);
  });

  it('is written in time although the clock was set back', () => {
    const before = [stored('Passing', 'lag 3 s', 3_000)];
    expect(writeDueInMs(before, healthStatuses(known('Passing', 'lag 4 s', 5), before), ms(5))).toBe(60_000);
  });
});

describe('the condition Healthy', () => {
  const now = at(90);
  const conditions = (statuses: HealthCheckStatus[], before: Condition[] = []) => withHealth(before, statuses, now);

  it('names the failing check, its text and its pod', () => {
    expect(conditions([stored('Failing', 'lag 95 s', 0), { name: 'net', status: 'Unknown', message: 'late' }])).toEqual(
      [
        {
          type: 'Healthy',
          status: 'False',
          reason: 'HealthCheckFailed',
          message: 'lag 95 s on db-1 (health check lag)',
          lastTransitionTime: now,
        },
      ],
    );
  });

  it('is Unknown when a check finds nothing out, and True when all pass', () => {
    expect(
      conditions([{ name: 'net', status: 'Unknown', message: 'no answer within 5 s', pod: 'db-1' }]),
    ).toMatchObject([
      { status: 'Unknown', reason: 'HealthUnknown', message: 'no answer within 5 s on db-1 (health check net)' },
    ]);
    expect(conditions([stored('Passing', '', 0)])).toMatchObject([
      { status: 'True', message: 'The health check passes.' },
    ]);
  });

  it('does not exist without a check that counts, and stays the same array when nothing changes', () => {
    const [condition] = conditions([stored('Passing', '', 0)]) ?? [];
    const before = condition === undefined ? [] : [condition];
    expect(conditions([stored('Passing', 'lag 9 s', 0)], before)).toBe(before);
    expect(conditions([{ name: 'lag', status: 'Simulated' }], before)).toEqual([]);
    expect(withHealth(undefined, [], now)).toBeUndefined();
  });

  it('has an event when it changes, and when other checks fail; none when the first run passes', () => {
    const [pass, fail] = [stored('Passing', '', 0), stored('Failing', 'lag 95 s', 0)];
    expect(healthEvent([], [pass])).toBeUndefined();
    expect(healthEvent([pass], [fail])).toMatchObject({ type: 'Warning', reason: 'HealthCheckFailed' });
    expect(healthEvent([fail], [{ ...fail, message: 'lag 96 s' }])).toBeUndefined();
    expect(healthEvent([fail], [fail, { ...fail, name: 'votes' }])).toMatchObject({ type: 'Warning' });
    expect(healthEvent([fail], [pass])).toMatchObject({ type: 'Normal', reason: 'HealthChecksPassed' });
  });
});
