import { describe, expect, it } from 'vitest';
import {
  type ActivityEntry,
  ALL_ACTIVITY,
  activityMatcher,
  choicesOf,
  formatActivityFilter,
  parseActivityFilter,
} from './activity';
import { ACTIVITY_CSV_HEAD, activityCsvLine, activityJsonLine } from './activity-export';
import { formatAuditLine, parseAuditLine, resultOfStatus } from './audit-entry';
import { auditEntry } from './audit-fixture';

const NOW = Date.parse('2026-11-28T12:30:00Z');
const of = (...args: Parameters<typeof auditEntry>): ActivityEntry => ({ ...auditEntry(...args), source: 'console' });

describe('a line of the audit log', () => {
  it('is read as it was written', () => {
    expect(parseAuditLine(formatAuditLine(auditEntry()))).toEqual(auditEntry());
    expect(parseAuditLine(formatAuditLine(auditEntry(), { audit: true }))).toEqual(auditEntry());
  });

  it('is one line whatever is in it, and cuts what is long', () => {
    const line = formatAuditLine(auditEntry({ summary: `a\nb\u2028${'x'.repeat(10_000)}` }));
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(line.length).toBeLessThan(1_500);
  });

  it.each(['', '{', '[]', '"x"', '{"time":"2026"}', formatAuditLine(auditEntry()).slice(0, -30)])(
    '%j is none',
    (line) => {
      expect(parseAuditLine(line)).toBeUndefined();
    },
  );

  it('says what the HTTP status means', () => {
    expect([200, 303, 403, 409, 499, 500].map(resultOfStatus)).toEqual([
      'ok',
      'ok',
      'refused',
      'refused',
      'failed',
      'failed',
    ]);
  });
});

describe('the filter', () => {
  const fits = (changes: Partial<typeof ALL_ACTIVITY>, entry = of()) =>
    activityMatcher({ ...ALL_ACTIVITY, ...changes }, NOW)(entry);

  it.each<[Partial<typeof ALL_ACTIVITY>, boolean]>([
    [{}, true],
    [{ text: 'BACKUP db' }, true],
    [{ text: '192.0.2.1' }, true],
    [{ text: 'restore' }, false],
    [{ person: 'jo', namespace: 'demo', verb: 'run', resource: 'instances' }, true],
    [{ person: 'j' }, false],
    [{ result: 'refused' }, false],
    [{ within: '1h' }, true],
  ])('%o lets the start of a backup through: %s', (changes, expected) => {
    expect(fits(changes)).toBe(expected);
  });

  it('knows what is older than its time', () => {
    expect(fits({ within: '1h' }, of({ time: '2026-11-28T11:29:59.000Z' }))).toBe(false);
  });

  it('is the same after the address was read', () => {
    const filter = { ...ALL_ACTIVITY, text: 'a b', person: 'jo', result: 'failed', within: '7d' } as const;
    expect(parseActivityFilter(formatActivityFilter(filter))).toEqual(filter);
    expect(parseActivityFilter(new URLSearchParams('result=x&within=9y'))).toEqual(ALL_ACTIVITY);
  });

  it('offers what there is', () => {
    const entries = [
      of(),
      of({ namespace: '', person: { name: '', groups: [] } }),
      of({ namespace: 'a', verb: 'edit' }),
    ];
    expect(choicesOf(entries)).toEqual({
      person: ['jo'],
      namespace: ['a', 'demo'],
      verb: ['edit', 'run'],
      resource: ['instances'],
    });
  });
});

describe('the export', () => {
  it('has a cell for each column', () => {
    const cells = activityCsvLine(of()).trimEnd().split(',');
    expect(cells).toHaveLength(ACTIVITY_CSV_HEAD.trimEnd().split(',').length);
    expect(cells.slice(0, 4)).toEqual(['2026-11-28T12:00:00.000Z', 'jo', 'dev', '192.0.2.1']);
  });

  it.each(['=1+1', '+1', '-1', '@x', '\t=1', '\r=1'])('runs no formula: %j', (name) => {
    const [, cell] = activityCsvLine(of({ person: { name, groups: [] } })).split(',');
    expect(cell).toBe(`"'${name}"`);
  });

  it('quotes commas, quotes and line feeds', () => {
    expect(activityCsvLine(of({ summary: 'a, "b"\nc' }))).toContain('"a, ""b""\nc"');
  });

  it('has JSON lines', () => {
    expect(JSON.parse(activityJsonLine(of()))).toEqual(of());
  });
});
