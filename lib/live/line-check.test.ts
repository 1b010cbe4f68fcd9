import { describe, expect, it } from 'vitest';
import { checkLine, checkShownLine } from './line-check';

const START = 1_000_000;
const line = (silentMs: number, sinceCheckMs = 1_000, isVisible = true, isAnswered = true) =>
  checkLine({
    nowMs: START + silentMs,
    heardAtMs: START,
    checkedAtMs: START + silentMs - sinceCheckMs,
    isVisible,
    isAnswered,
  });

describe('the line of the event stream', () => {
  it('is good while the server ticks', () => {
    expect([line(0), line(15_000), line(40_000)]).toEqual(['good', 'good', 'good']);
  });

  it('is dead after 40 s without a frame', () => {
    expect(line(40_001)).toBe('dead');
  });

  it('is dead at the first check after ten minutes of sleep', () => {
    expect(line(600_000, 600_000)).toBe('dead');
  });

  it('is doubtful after a short sleep, which the socket may not have survived', () => {
    expect(line(12_000, 12_000)).toBe('doubtful');
  });

  it('is good in a hidden page, whose timers are late', () => {
    expect(line(14_000, 14_000, false)).toBe('good');
  });

  it('is unanswered when nothing came for five seconds after it was opened', () => {
    expect([line(4_000, 1_000, true, false), line(6_000, 1_000, true, false)]).toEqual(['good', 'unanswered']);
  });

  it('is opened again when the page is looked at again and a tick is late', () => {
    const shown = (silentMs: number) => checkShownLine({ nowMs: START + silentMs, heardAtMs: START });
    expect([shown(16_000), shown(21_000), shown(41_000)]).toEqual(['good', 'doubtful', 'dead']);
  });
});
