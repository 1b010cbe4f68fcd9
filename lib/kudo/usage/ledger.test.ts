import { describe, expect, it } from 'vitest';
import { EMPTY_LEDGER, type Observation, observeUsage, type SeenLife, type UsageLedger } from './ledger';
import { formatLedger, parseLedger } from './ledger-text';
import { isMonth, usageCsv, usageRows } from './rows';

const HOUR_MS = 3_600_000;
const NOVEMBER = Date.UTC(2026, 10, 30, 22);
const life = (uid: string, value: number, createdMs = NOVEMBER): SeenLife => ({
  uid,
  name: `i-${uid}`,
  operator: 'pond',
  createdMs,
  rates: { nodes: { unit: 'node-hours', value } },
});

function observed(ledger: UsageLedger, atHours: number, more: Partial<Observation> = {}): UsageLedger {
  const nowMs = NOVEMBER + atHours * HOUR_MS;
  return observeUsage(ledger, { seen: [], goneMs: new Map(), lost: [], owns: () => true, nowMs, ...more });
}

const amounts = (ledger: UsageLedger, atHours: number) =>
  usageRows(ledger, 'lab', NOVEMBER + atHours * HOUR_MS).map(({ month, amount }) => `${month} ${amount}`);

describe('the usage ledger', () => {
  it('counts an open life from its creation, split at the end of a month, also of a year', () => {
    expect(amounts(observed(EMPTY_LEDGER, 1, { seen: [life('a', 2)] }), 5)).toEqual(['2026-12 6', '2026-11 4']);
    const december = Date.UTC(2026, 11, 31, 23);
    const ledger = observed(EMPTY_LEDGER, 800, { seen: [life('a', 1, december)] });
    expect(amounts(ledger, (december - NOVEMBER) / HOUR_MS + 3)).toEqual(['2027-01 2', '2026-12 1']);
  });

  it('closes a life at a change of its rates, and when it went', () => {
    const one = observed(EMPTY_LEDGER, 0, { seen: [life('a', 1)] });
    const two = observed(one, 1, { seen: [life('a', 5)] });
    expect(amounts(two, 1.5)).toEqual(['2026-11 3.5']);
    const gone = observed(two, 1.9, { goneMs: new Map([['a', NOVEMBER + 1.5 * HOUR_MS]]) });
    expect([amounts(gone, 100), Object.keys(gone.open)]).toEqual([['2026-11 3.5'], []]);
  });

  it('ends a life that nobody saw go when it was checked last', () => {
    const one = observed(EMPTY_LEDGER, 0, { seen: [life('a', 1)] });
    const checked = { ...one, checkedMs: NOVEMBER + HOUR_MS };
    expect(amounts(observed(checked, 50), 60)).toEqual(['2026-11 1']);
  });

  it('adds a life that went before it was open, once', () => {
    const went = { lost: [life('a', 1)], goneMs: new Map([['a', NOVEMBER + HOUR_MS]]) };
    const one = observed(EMPTY_LEDGER, 1.5, went);
    expect(amounts(one, 2)).toEqual(['2026-11 1']);
    expect(observed(one, 1.6, went)).toBe(one);
  });

  it('leaves lives of other shards alone', () => {
    const one = observed(EMPTY_LEDGER, 0, { seen: [life('a', 1)] });
    expect(observed(one, 1, { owns: (name) => name !== 'i-a' })).toBe(one);
  });

  it('keeps 24 months', () => {
    const ledger = observed(EMPTY_LEDGER, 0, { seen: [life('a', 1, Date.UTC(2020, 0, 1))] });
    const gone = observed(ledger, 1, { goneMs: new Map([['a', NOVEMBER]]) });
    expect(Object.keys(gone.months)).toHaveLength(24);
    expect(Object.keys(gone.months).at(0)).toBe('2024-12');
  });

  it('is read again as it was written, and of other texts as far as it makes sense', () => {
    const ledger = observed(observed(EMPTY_LEDGER, 0, { seen: [life('a', 1)] }), 1, { seen: [life('a', 2)] });
    expect(parseLedger(formatLedger(ledger))).toEqual(ledger);
    expect(parseLedger('no json')).toEqual(EMPTY_LEDGER);
    expect(
      parseLedger('{"checkedMs":-1,"open":{"a":3},"months":{"x":{},"2026-01":{"o":{"m":{"valueMs":"1"}}}}}'),
    ).toEqual({
      ...EMPTY_LEDGER,
      months: { '2026-01': { o: {} } },
    });
  });

  it('is a table that a spreadsheet takes as text', () => {
    const row = { month: '2026-11', namespace: 'lab', operator: '=cmd', meter: 'a,b', unit: 'x', amount: 1.5 };
    expect(usageCsv([row])).toBe('month,namespace,operator,meter,unit,amount\r\n2026-11,lab,\'=cmd,"a,b",x,1.5\r\n');
    expect(['2026-11', '2026-13', '2026-1', ''].map(isMonth)).toEqual([true, false, false, false]);
  });
});
