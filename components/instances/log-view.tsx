'use client';

import { ArrowDown } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { CopyButton } from '@/components/ui/copy-button';
import { SearchInput } from '@/components/ui/search-input';
import { useLogLines } from './use-log-lines';

/** The last lines of a log, followed live; scrolling up stops that until *Follow* is pressed. */
export function LogView({
  namespace,
  pod,
  container,
  children,
}: {
  namespace: string;
  pod: string;
  container: string;
  children: ReactNode;
}) {
  const [previous, setPrevious] = useState(false);
  const [query, setQuery] = useState('');
  const [following, setFollowing] = useState(true);
  const { lines, state, problem } = useLogLines({ namespace, pod, container, previous });
  const box = useRef<HTMLDivElement>(null);
  const shown = query === '' ? lines : lines.filter(({ text }) => text.toLowerCase().includes(query.toLowerCase()));
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines are the reason to scroll, not an input
  useEffect(() => {
    if (following && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [following, shown.length, lines]);
  const onScroll = () => {
    if (box.current === null) return;
    const { scrollHeight, scrollTop, clientHeight } = box.current;
    setFollowing(scrollHeight - scrollTop - clientHeight < 24);
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b px-4 py-2">
        {children}
        <SearchInput label="Find in lines" className="max-w-[220px]" value={query} onChange={setQuery} />
        <Chip pressed={previous} onClick={() => setPrevious(!previous)}>
          Before restart
        </Chip>
        <span className="ms-auto flex items-center gap-2 text-ink-2 text-xs" role="status">
          {stateWords[state]}
          <CopyButton label="Copy all lines" text={lines.map(({ text }) => text).join('\n')} />
        </span>
      </div>
      <div className="relative">
        <section
          ref={box}
          onScroll={onScroll}
          aria-label={`Log of ${pod}, container ${container}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
          tabIndex={0}
          className="h-[min(62dvh,640px)] overflow-auto bg-ground focus-visible:-outline-offset-2"
        >
          <pre className="mono w-max min-w-full p-3 leading-[1.55]">
            {shown.map(({ key, text }) => (
              <div key={key} className="min-h-[1.55em] whitespace-pre-wrap hover:bg-sunken">
                {text}
              </div>
            ))}
          </pre>
          {problem !== undefined && <p className="px-4 py-3 text-fail">{problem}</p>}
          {shown.length === 0 && problem === undefined && state !== 'loading' && (
            <p className="px-4 py-3 text-ink-2">
              {query === '' ? 'The container has written nothing yet.' : 'No line matches.'}
            </p>
          )}
        </section>
        {!following && (
          <Button
            size="small"
            className="absolute end-4 bottom-3 shadow-float"
            icon={<ArrowDown size={13} aria-hidden="true" />}
            onClick={() => setFollowing(true)}
          >
            Follow
          </Button>
        )}
      </div>
    </>
  );
}

const stateWords = { loading: 'Reading…', following: 'Following', ended: 'Ended', failed: 'Cannot be read' } as const;
