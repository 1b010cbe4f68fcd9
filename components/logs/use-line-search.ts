'use client';

import { useEffect, useMemo, useState } from 'react';
import { loadPart } from '@/components/ui/load-part';
import type { LogLine } from '@/lib/logs/log-book';
import { type CompiledPattern, type LineMatcher, LogSearch, patternMatcher, textMatcher } from '@/lib/logs/log-search';

export interface LineSearch {
  /** Undefined while nothing is searched, and for a pattern with a mistake. */
  readonly matcher: LineMatcher | undefined;
  readonly search: LogSearch | undefined;
  readonly problem: string | undefined;
}

interface Patterns {
  readonly safePattern: (text: string) => CompiledPattern | undefined;
  readonly patternProblem: (text: string) => string | undefined;
}

const NOTHING: LineSearch = { matcher: undefined, search: undefined, problem: undefined };

/** The search for a text, or for a regular expression in RE2 syntax, whose reader is loaded when it is wanted first. */
export function useLineSearch(query: string, isPattern: boolean): LineSearch {
  const [patterns, setPatterns] = useState<Patterns>();
  useEffect(() => {
    if (!isPattern || patterns !== undefined) return;
    void loadPart(() => import('@/lib/schema/safe-pattern')).then(setPatterns);
  }, [isPattern, patterns]);
  return useMemo(() => {
    if (query === '') return NOTHING;
    if (!isPattern) return found(textMatcher(query));
    if (patterns === undefined) return NOTHING;
    // As with plain text: small letters find both.
    const text = query === query.toLowerCase() ? `(?i)${query}` : query;
    const pattern = patterns.safePattern(text);
    if (pattern !== undefined) return found(patternMatcher(pattern));
    return { ...NOTHING, problem: patterns.patternProblem(query) ?? 'This is not a regular expression.' };
  }, [query, isPattern, patterns]);
}

function found(matcher: LineMatcher): LineSearch {
  return { matcher, search: new LogSearch(matcher), problem: undefined };
}

/** The places of matching lines among all lines. */
export function useMatches(lines: readonly LogLine[], search: LogSearch | undefined): readonly number[] {
  return useMemo(() => search?.indexes(lines) ?? [], [lines, search]);
}
