import { describe, expect, it } from 'vitest';
import { matchesNotice } from './matches-notice';
import { matchesNamePattern } from './name-pattern';
import type { NoticeRule } from './notice';

describe('a pattern', () => {
  it.each([
    ['backup', 'backup', true],
    ['backup', 'backups', false],
    ['*', '', true],
    ['back*', 'backup-all', true],
    ['*up', 'backup', true],
    ['a*a', 'a', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['a.c', 'abc', false],
  ])('%s and the text %s: %s', (pattern, text, matches) => {
    expect(matchesNamePattern(pattern, text)).toBe(matches);
  });

  it('with many stars does not take long', () => {
    expect(matchesNamePattern('*a'.repeat(1_000), 'b'.repeat(100_000))).toBe(false);
  });
});

describe('a notice', () => {
  const notice: NoticeRule = {
    id: 'Secret/shop/hooks/a',
    name: 'a',
    url: 'https://example.org',
    format: 'json',
    signingKey: undefined,
    plans: ['backup*'],
    results: ['FATAL_ERROR'],
    matchLabels: { team: 'data' },
    namespaces: ['shop'],
  };
  const subject = { namespace: 'shop', plan: 'backup', labels: { team: 'data', tier: '1' } };

  it('is about a result of a run when everything that it names is so', () => {
    expect(matchesNotice(notice, subject, 'FATAL_ERROR')).toBe(true);
    expect(matchesNotice({ ...notice, plans: [], matchLabels: {} }, subject, 'FATAL_ERROR')).toBe(true);
  });

  it('is not about another result, plan, namespace or label', () => {
    expect(matchesNotice(notice, subject, 'COMPLETE')).toBe(false);
    expect(matchesNotice(notice, { ...subject, plan: 'deploy' }, 'FATAL_ERROR')).toBe(false);
    expect(matchesNotice(notice, { ...subject, namespace: 'shop-2' }, 'FATAL_ERROR')).toBe(false);
    expect(matchesNotice(notice, { ...subject, labels: { team: 'web' } }, 'FATAL_ERROR')).toBe(false);
    expect(matchesNotice(notice, { ...subject, labels: {} }, 'FATAL_ERROR')).toBe(false);
  });
});
