'use client';

import { ArrowDown } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import type { LogLine } from '@/lib/logs/log-book';
import type { LineMatcher } from '@/lib/logs/log-search';
import { LINE_PX, lineHeights, visibleLines } from './line-heights';
import { sourceTone } from './log-options';

export interface LogLinesProps {
  readonly label: string;
  readonly lines: readonly LogLine[];
  /** Names before the lines, by source; undefined for one log. */
  readonly names: readonly string[] | undefined;
  readonly hasTimes: boolean;
  readonly wraps: boolean;
  readonly matcher: LineMatcher | undefined;
  /** The key of the line that the search is at. */
  readonly current: number | undefined;
  readonly isFollowed: boolean;
  readonly onFollow: (isFollowed: boolean) => void;
  /** Instead of lines, when there are none. */
  readonly empty: ReactNode;
}

/** The width of a character of the log's font, roughly; only the guess of a wrapped line's height depends on it. */
const CHAR_PX = 7.25;

/** Lines of logs in a box that scrolls, of which only those in view are drawn. At its end it follows; scrolling up stops that. */
export function LogLines(props: LogLinesProps) {
  const { label, lines, wraps, current, isFollowed, onFollow, empty } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 640, width: 800 });
  const columns = Math.max(20, Math.floor((view.width - 24 - prefixPx(props)) / CHAR_PX));
  const heights = useMemo(() => lineHeights(lines, wraps ? columns : undefined), [lines, wraps, columns]);
  const { first, last, before, after } = visibleLines(heights, view.top, view.height);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = () => {
      const { scrollTop: top, clientHeight: height, clientWidth: width } = element;
      setView((old) =>
        old.top === top && old.height === height && old.width === width ? old : { top, height, width },
      );
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines are the reason to scroll, not an input
  useLayoutEffect(() => {
    if (isFollowed && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [isFollowed, lines, wraps]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another place of the search scrolls
  useEffect(() => {
    if (current === undefined || box.current === null) return;
    const at = lines.findIndex(({ key }) => key === current);
    if (at >= 0) box.current.scrollTop = Math.max(0, heights.top(at) - box.current.clientHeight / 2);
  }, [current]);
  const onScroll = () => {
    if (box.current === null) return;
    const { scrollHeight, scrollTop, clientHeight } = box.current;
    onFollow(scrollHeight - scrollTop - clientHeight < LINE_PX);
  };
  return (
    <div className="relative">
      <section
        ref={box}
        onScroll={onScroll}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        className="h-[min(62dvh,640px)] overflow-auto bg-ground py-2 focus-visible:-outline-offset-2"
      >
        <pre className={classNames('mono', wraps ? 'w-full' : 'w-max min-w-full')}>
          <div style={{ height: before }} />
          {lines.slice(first, last).map((line) => (
            <Line key={line.key} line={line} {...props} />
          ))}
          <div style={{ height: after }} />
        </pre>
        {lines.length === 0 && empty}
      </section>
      {!isFollowed && lines.length > 0 && (
        <Button
          size="small"
          className="absolute end-4 bottom-3 shadow-float"
          icon={<ArrowDown size={13} aria-hidden="true" />}
          onClick={() => onFollow(true)}
        >
          Follow
        </Button>
      )}
    </div>
  );
}

function prefixPx({ names, hasTimes }: LogLinesProps): number {
  return (names === undefined ? 0 : 120) + (hasTimes ? 210 : 0);
}

function Line({ line, names, hasTimes, wraps, matcher, current }: LogLinesProps & { line: LogLine }) {
  const isCurrent = line.key === current;
  return (
    <div
      className={classNames('flex min-h-5 px-3 leading-5 hover:bg-sunken', isCurrent && 'bg-wait-soft')}
      aria-current={isCurrent ? 'true' : undefined}
      data-log-line=""
    >
      {names !== undefined && (
        <span className={classNames('w-[120px] shrink-0 truncate pe-2', sourceTone(line.source))}>
          {names[line.source]}
        </span>
      )}
      {hasTimes && <span className="w-[210px] shrink-0 text-ink-3">{line.time.slice(0, 23).replace('T', ' ')}</span>}
      <span className={wraps ? 'min-w-0 whitespace-pre-wrap break-all' : 'whitespace-pre'}>
        <Marked text={line.text} matcher={matcher} />
      </span>
    </div>
  );
}

/** The text with what the search finds in it marked. */
function Marked({ text, matcher }: { text: string; matcher: LineMatcher | undefined }) {
  const parts = matcher?.parts(text) ?? [];
  if (parts.length === 0) return text;
  const pieces: ReactNode[] = [];
  let at = 0;
  for (const { from, to } of parts) {
    pieces.push(text.slice(at, from), <mark key={from}>{text.slice(from, to)}</mark>);
    at = to;
  }
  return [...pieces, text.slice(at)];
}
