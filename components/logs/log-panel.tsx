'use client';

import { type ReactNode, useState } from 'react';
import { Notice } from '@/components/ui/notice';
import { useCalmText } from '@/components/ui/use-calm-text';
import type { LogLine } from '@/lib/logs/log-book';
import { nextMatch } from '@/lib/logs/log-search';
import { LogLines } from './log-lines';
import { FIRST_RANGE, type LogRange, type LogSource } from './log-options';
import { LogToolbar, type LogView } from './log-toolbar';
import { useLineSearch, useMatches } from './use-line-search';
import { type LogState, useLogBook } from './use-log-book';

const FIRST_VIEW: LogView = {
  query: '',
  isPattern: false,
  filters: false,
  hasTimes: false,
  wraps: true,
  layout: 'merged',
};
const STATE_WORDS: { readonly [state in LogState]: string } = {
  loading: 'Reading…',
  following: 'Following',
  ended: 'Ended',
  failed: 'Cannot be read',
};

/** The logs of chosen containers of a pod: in one list, or side by side; searched, filtered, followed, downloaded. */
export function LogPanel({
  namespace,
  pod,
  sources,
  children,
}: {
  namespace: string;
  pod: string;
  /** The containers whose logs are shown. */
  sources: readonly LogSource[];
  /** Choices of the page, at the beginning of the toolbar. */
  children: ReactNode;
}) {
  const [range, setRange] = useState<LogRange>(FIRST_RANGE);
  const [view, setView] = useState(FIRST_VIEW);
  const [isFollowed, setIsFollowed] = useState(true);
  const [at, setAt] = useState<number>();
  const names = sources.map(({ container }) => container);
  const { lines, dropped, state, problems } = useLogBook({ namespace, pod, containers: names, range });
  const { matcher, search, problem } = useLineSearch(view.query, view.isPattern);
  const matches = useMatches(lines, search);
  const isBeside = view.layout === 'beside' && names.length > 1;
  const shown = view.filters && search !== undefined ? matches.flatMap((index) => lines[index] ?? []) : lines;
  const current = matches.findIndex((index) => lines[index]?.key === at);
  const step = (by: 1 | -1) => {
    const next = nextMatch(matches, matches[current], by);
    setIsFollowed(false);
    setAt(next === undefined ? undefined : lines[next]?.key);
  };
  const found = search === undefined ? undefined : foundWords(matches.length, current);
  const said = useCalmText(found ?? STATE_WORDS[state]);
  const empty = state !== 'loading' && problems.length === 0 && (
    <p className="px-4 py-1 font-sans text-ink-2">{emptyWords(search !== undefined, range)}</p>
  );
  const shared = {
    ...view,
    names: names.length > 1 ? names : undefined,
    matcher,
    current: at,
    isFollowed,
    onFollow: setIsFollowed,
    empty,
  };
  return (
    <section className="card overflow-clip" aria-label="Logs">
      <LogToolbar
        view={view}
        onView={(change) => setView({ ...view, ...change })}
        range={range}
        onRange={(change) => setRange({ ...range, ...change })}
        found={found}
        problem={problem}
        onStep={matches.length === 0 ? undefined : step}
        state={STATE_WORDS[state]}
        canBeBeside={names.length > 1}
        hasPrevious={sources.some(({ hasPrevious }) => hasPrevious)}
        text={() => textOf(shown, names, view.hasTimes)}
        fileName={`${[pod, ...names].join('-').slice(0, 200)}.log`}
      >
        {children}
      </LogToolbar>
      <p role="status" className="sr-only">
        {said}
      </p>
      {problems.map((text) => (
        <Notice key={text} tone="fail" title="This log cannot be read" className="m-3">
          {text}
        </Notice>
      ))}
      {dropped > 0 && (
        <p className="border-b px-4 py-1 text-ink-2 text-xs">
          {dropped.toLocaleString('en')} older lines are not shown. Download them with kubectl logs.
        </p>
      )}
      {isBeside ? (
        <div className="grid divide-line max-lg:divide-y lg:auto-cols-fr lg:grid-flow-col lg:divide-x">
          {names.map((name, source) => (
            <div key={name} className="min-w-0">
              <p className="border-b px-3 py-1 font-medium text-xs">{name}</p>
              <LogLines
                {...shared}
                label={`Log of ${pod}, container ${name}`}
                names={undefined}
                lines={ofSource(shown, source)}
              />
            </div>
          ))}
        </div>
      ) : (
        <LogLines {...shared} label={`Log of ${pod}, ${containerWords(names)}`} lines={shown} />
      )}
    </section>
  );
}

function foundWords(count: number, current: number): string {
  return `${current >= 0 ? `${current + 1} of ` : ''}${count} ${count === 1 ? 'line' : 'lines'}`;
}

function containerWords(names: readonly string[]): string {
  return `${names.length === 1 ? 'container' : 'containers'} ${names.join(', ')}`;
}

function ofSource(lines: readonly LogLine[], source: number): readonly LogLine[] {
  return lines.filter((line) => line.source === source);
}

function emptyWords(isSearching: boolean, { since, previous }: LogRange): string {
  if (isSearching) return 'No line matches.';
  if (since !== '') return 'The container wrote nothing in this time.';
  return previous ? 'The container wrote nothing before its last restart.' : 'The container has written nothing yet.';
}

function textOf(lines: readonly LogLine[], names: readonly string[], hasTimes: boolean): string {
  return lines
    .map(({ source, time, text }) => {
      const name = names.length > 1 ? `[${names[source] ?? ''}] ` : '';
      return `${name}${hasTimes && time !== '' ? `${time} ` : ''}${text}\n`;
    })
    .join('');
}
