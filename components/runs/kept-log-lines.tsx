'use client';

import { type KeyboardEvent, useEffect, useRef } from 'react';
import { classNames } from '@/components/ui/class-names';

/**
 * Lines of a log, each with its number, which is a link that shows the line to somebody else. One stop of the Tab key; arrow keys go
 * from number to number.
 */
export function KeptLogLines({
  label,
  text,
  firstNumber,
  chosen,
  onChoose,
}: {
  label: string;
  text: string;
  /** Of the first line. */
  firstNumber: number;
  /** The number of the chosen line; it may be in another log. */
  chosen: number | undefined;
  onChoose: (line: number) => void;
}) {
  const lines = linesOf(text);
  const isHere = chosen !== undefined && chosen >= firstNumber && chosen < firstNumber + lines.length;
  const line = useRef<HTMLLIElement>(null);
  // Only the line of the address that the page was opened with: a chosen line is in view already.
  useEffect(() => {
    line.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <ol
      aria-label={label}
      onKeyDown={moveFocus}
      className="mono mt-1 max-h-[60dvh] overflow-auto rounded-md bg-sunken py-2 text-xs"
    >
      {lines.map((content, at) => {
        const number = firstNumber + at;
        const isChosen = number === chosen;
        return (
          <li
            key={number}
            ref={isChosen ? line : undefined}
            data-line={number}
            aria-current={isChosen ? 'true' : undefined}
            className={classNames('flex min-h-6 w-max min-w-full', isChosen && 'bg-wait-soft')}
          >
            <a
              href={`?${new URLSearchParams({ view: 'log', line: String(number) })}`}
              tabIndex={isChosen || (!isHere && at === 0) ? 0 : -1}
              aria-label={`Line ${number}`}
              className="sticky left-0 w-12 shrink-0 select-none bg-inherit pe-3 text-end text-ink-3 leading-6 hover:underline"
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                onChoose(number);
              }}
            >
              {number}
            </a>
            <span className="whitespace-pre pe-3 leading-6">{content}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** How many lines {@link KeptLogLines} shows of a text. */
export function countLogLines(text: string): number {
  return linesOf(text).length;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function moveFocus(event: KeyboardEvent<HTMLOListElement>) {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const links: (Element | null)[] = [...event.currentTarget.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  const next = links[at + step];
  if (at < 0 || !(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}
