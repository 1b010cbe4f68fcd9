import { describe, expect, it } from 'vitest';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { DEADLINES_ANNOTATION, deadlineOf, parseDeadlines, parseDuration } from './deadlines';

const holder = (text: string | undefined) =>
  ({
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'i', ...(text === undefined ? {} : { annotations: { [DEADLINES_ANNOTATION]: text } }) },
  }) satisfies Instance & OperatorVersion;

describe('parseDuration', () => {
  it.each([
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['250ms', 250],
    ['10', undefined],
    ['-1m', undefined],
    ['1d', undefined],
    ['', undefined],
    ['m', undefined],
  ])('reads %j as %j', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });
});

describe('parseDeadlines', () => {
  it('reads plans and steps, separated by commas, blanks or lines', () => {
    const { deadlines, problems } = parseDeadlines('deploy=1h, deploy.main.nodes=10m\n*.*.*=30m');
    expect(deadlines.map(({ place, ms }) => [place, ms])).toEqual([
      ['deploy', 3_600_000],
      ['deploy.main.nodes', 600_000],
      ['*.*.*', 1_800_000],
    ]);
    expect(problems).toEqual([]);
  });

  it('names what it cannot read, and reads the rest', () => {
    const { deadlines, problems } = parseDeadlines('deploy, a.b=1m, =1m, deploy=soon, x=0s, backup=5m');
    expect(deadlines).toEqual([{ place: 'backup', ms: 300_000, text: '5m' }]);
    expect(problems).toEqual([
      '"deploy" is no deadline; write plan=duration or plan.phase.step=duration',
      '"a.b=1m" is no deadline; write plan=duration or plan.phase.step=duration',
      '"=1m" is no deadline; write plan=duration or plan.phase.step=duration',
      '"soon" of deploy is no duration; write for example 90s, 10m or 1h30m',
      '"0s" of x is no duration; write for example 90s, 10m or 1h30m',
    ]);
  });
});

describe('deadlineOf', () => {
  const step = { plan: 'deploy', phase: 'main', step: 'nodes' };
  it.each([
    ['nothing declared', undefined, undefined, undefined],
    ['the version alone', undefined, 'deploy.main.nodes=10m', '10m'],
    ['the Instance first', '*.*.*=5m', 'deploy.main.nodes=10m', '5m'],
    ['the version for what the Instance leaves out', 'backup.main.save=5m', '*.*.*=10m', '10m'],
    ['the exact entry before one with stars', undefined, '*.*.*=1m, deploy.*.*=2m, deploy.main.nodes=3m', '3m'],
    ['no deadline of a plan for its steps', undefined, 'deploy=1h', undefined],
  ])('of a step takes %s', (_, instance, version, text) => {
    expect(deadlineOf(holder(instance), holder(version), step)?.text).toBe(text);
  });

  it('of a plan takes entries of plans only', () => {
    expect(deadlineOf(holder('deploy.main.nodes=1m'), holder('*=2h'), { plan: 'deploy' })?.text).toBe('2h');
  });
});
