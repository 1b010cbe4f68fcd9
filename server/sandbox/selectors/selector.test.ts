import { describe, expect, it } from 'vitest';
import {
  formatLabelSelector,
  matchesLabelSelector,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
} from './selector';

const labels = { app: 'web', tier: 'front', 'example.com/n': '10', empty: '' };

describe('label selectors', () => {
  it.each([
    ['', true],
    ['app=web', true],
    ['app==web,tier=front', true],
    ['app!=web', false],
    ['none!=web', true],
    ['empty=', true],
    ['app', true],
    ['!app', false],
    ['!none', true],
    ['app in (db, web)', true],
    ['app notin (db)', true],
    ['none notin (db)', true],
    ['none in (db)', false],
    ['example.com/n>5', true],
    ['example.com/n<5', false],
    ['app in ()', false],
    ['empty in ()', true],
    ['app notin ()', true],
    ['app>5', false],
    ['in=x', false],
  ])('read %j and select or not', (text, expected) => {
    expect(matchesLabels(parseLabelSelector(text), labels)).toBe(expected);
  });

  it.each([
    ['app=web=x', "found '=', expected: ',' or 'end of string'"],
    ['app in web', "unable to parse requirement: found 'web' expected: '('"],
    ['=x', "found '=', expected: !, identifier, or 'end of string'"],
    ['bad key=x', "unable to parse requirement: found 'key', expected: in, notin, =, ==, !=, gt, lt"],
    [',', "found ',', expected: !, identifier, or 'end of string'"],
    ['app in (web', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['app=a,', "found '', expected: identifier after ','"],
    [
      'n>x',
      "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
  ])('refuse %j in the words of the API server', (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(new SelectorError(message));
  });
});

describe('LabelSelector objects', () => {
  it('select by labels and expressions together', () => {
    const selector = {
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['front', 'back'] },
        { key: 'gone', operator: 'DoesNotExist' },
      ],
    };
    expect(matchesLabelSelector(selector, labels)).toBe(true);
    expect(matchesLabelSelector(selector, { app: 'web', tier: 'x' })).toBe(false);
    expect(formatLabelSelector(selector)).toBe('app=web,!gone,tier in (back,front)');
  });

  it('select everything when empty and nothing when absent', () => {
    expect(matchesLabelSelector({}, undefined)).toBe(true);
    expect(matchesLabelSelector(undefined, labels)).toBe(false);
  });

  it('treat null labels as none', () => {
    expect(matchesLabelSelector({ matchLabels: { a: 'b' } }, null)).toBe(false);
  });
});

describe('field selectors', () => {
  it('read both operators and escapes', () => {
    expect(parseFieldSelector('metadata.name=a,status.phase!=Running,x=a\\,b')).toEqual([
      { field: 'metadata.name', equal: true, value: 'a' },
      { field: 'status.phase', equal: false, value: 'Running' },
      { field: 'x', equal: true, value: 'a,b' },
    ]);
  });

  it('refuse a term without an operator', () => {
    expect(() => parseFieldSelector('a')).toThrow("invalid selector: 'a'; can't understand 'a'");
  });
});
