import { describe, expect, it } from 'vitest';
import { type PassObservation, RunPace } from './run-pace';

const seconds = (count: number) => count * 1_000;
const seen = (sign: PassObservation['sign'], signature = 'same'): PassObservation => ({ sign, signature });

describe('the time of a step', () => {
  it('is counted from its recorded start, then by the clock that never steps back', () => {
    const pace = new RunPace();
    expect(pace.elapsedMs('p.s', 1_000, { nowMs: 61_000, monotonicMs: 5 })).toBe(60_000);
    // The wall clock was set back by an hour, and forward by a day: nothing changes.
    expect(pace.elapsedMs('p.s', 1_000, { nowMs: 61_000 - 3_600_000, monotonicMs: 1_005 })).toBe(61_000);
    expect(pace.elapsedMs('p.s', 1_000, { nowMs: 61_000 + 86_400_000, monotonicMs: 2_005 })).toBe(62_000);
  });

  it('is never negative, also when the clock was set back before a restart', () => {
    expect(new RunPace().elapsedMs('p.s', 9_000_000, { nowMs: 1_000, monotonicMs: 77 })).toBe(0);
  });

  it('begins now when nothing is recorded, and each step has its own', () => {
    const pace = new RunPace();
    expect(pace.elapsedMs('a', undefined, { nowMs: 5, monotonicMs: 10 })).toBe(0);
    expect(pace.elapsedMs('b', undefined, { nowMs: 5, monotonicMs: 30 })).toBe(0);
    expect(pace.elapsedMs('a', undefined, { nowMs: 5, monotonicMs: 30 })).toBe(20);
  });
});

describe('refusals', () => {
  it('are counted in a row, with the time since the first', () => {
    const pace = new RunPace();
    expect(pace.refused('t', 100)).toEqual({ count: 1, forMs: 0 });
    expect(pace.refused('t', 600)).toEqual({ count: 2, forMs: 500 });
    pace.accepted('t');
    expect(pace.refused('t', 900)).toEqual({ count: 1, forMs: 0 });
  });
});

describe('progress', () => {
  it.each<[string, { sign: PassObservation['sign']; times: number; lengthS: number }, string | undefined]>([
    ['four errors', { sign: 'failing', times: 4, lengthS: 60 }, undefined],
    ['five errors within a moment', { sign: 'failing', times: 5, lengthS: 1 }, undefined],
    ['five errors in half a minute', { sign: 'failing', times: 5, lengthS: 30 }, 'RepeatedErrors'],
    ['trouble for less than a minute', { sign: 'trouble', times: 9, lengthS: 59 }, undefined],
    ['trouble for a minute', { sign: 'trouble', times: 9, lengthS: 60 }, 'ResourceNotReady'],
    ['quiet for less than a quarter of an hour', { sign: 'waiting', times: 9, lengthS: 899 }, undefined],
    ['quiet for a quarter of an hour', { sign: 'waiting', times: 9, lengthS: 900 }, 'ProgressDeadlineExceeded'],
    ['work that shows no movement for a day', { sign: 'alive', times: 9, lengthS: 86_400 }, undefined],
  ])('%s', (_, { sign, times, lengthS }, expected) => {
    const pace = new RunPace();
    let stall: string | undefined;
    for (let index = 0; index < times; index++) {
      stall = pace.observe(seen(sign), seconds((lengthS * index) / (times - 1)));
    }
    expect(stall).toBe(expected);
  });

  it('is there again as soon as anything moves', () => {
    const pace = new RunPace();
    pace.observe(seen('trouble', 'one of three'), 0);
    expect(pace.observe(seen('trouble', 'one of three'), seconds(60))).toBe('ResourceNotReady');
    expect(pace.observe(seen('trouble', 'two of three'), seconds(61))).toBeUndefined();
    expect(pace.observe(seen('trouble', 'two of three'), seconds(120))).toBeUndefined();
    expect(pace.observe(seen('trouble', 'two of three'), seconds(121))).toBe('ResourceNotReady');
  });

  it('begins to be missed anew when trouble has ended in between', () => {
    const pace = new RunPace();
    pace.observe(seen('trouble'), 0);
    pace.observe(seen('waiting'), seconds(50));
    pace.observe(seen('trouble'), seconds(55));
    expect(pace.observe(seen('trouble'), seconds(70))).toBeUndefined();
  });

  it('keeps what an earlier process found until something moves', () => {
    const pace = new RunPace();
    pace.inherit('RepeatedErrors');
    expect(pace.observe(seen('failing'), 0)).toBe('RepeatedErrors');
    expect(pace.observe(seen('failing'), 10)).toBe('RepeatedErrors');
    expect(pace.observe(seen('waiting', 'other'), 20)).toBeUndefined();
    expect(pace.observe(seen('failing'), 30)).toBeUndefined();
  });
});
