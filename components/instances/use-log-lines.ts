'use client';

import { useEffect, useState } from 'react';
import { openText } from '@/components/live/open-text';
import { kubePath } from '@/components/resources/resource-path';
import { systemClock, type Timer } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import { topics } from '@/lib/live/topic';

export interface ShownLine {
  readonly key: number;
  readonly text: string;
}

export interface LogLines {
  readonly lines: readonly ShownLine[];
  readonly state: 'loading' | 'following' | 'ended' | 'failed';
  readonly problem: string | undefined;
}

/** Older lines are dropped, to limit the memory of the browser. */
const MOST_LINES = 5_000;
const FIRST_LINES = 500;
/** Lines are drawn at most this often. */
const DRAW_MS = 100;

const LOADING: LogLines = { lines: [], state: 'loading', problem: undefined };

/** The last lines of a container's log, and new ones as they are written. */
export function useLogLines(source: {
  namespace: string;
  pod: string;
  container: string;
  previous: boolean;
}): LogLines {
  const { namespace, pod, container, previous } = source;
  const [log, setLog] = useState<LogLines>(LOADING);
  useEffect(() => {
    const abort = new AbortController();
    const buffer = new LineBuffer((lines) => setLog({ lines, state: 'following', problem: undefined }));
    setLog(LOADING);
    const query = new URLSearchParams({ container, tailLines: String(FIRST_LINES) });
    if (previous) query.set('previous', 'true');
    else query.set('follow', 'true');
    const path = `${kubePath({ ...topics.pods(namespace), name: pod, subresource: 'log' })}?${query}`;
    openText(path, (text) => buffer.add(text), abort.signal).then(
      () => setLog({ lines: buffer.end(), state: 'ended', problem: undefined }),
      (error: unknown) => {
        if (!abort.signal.aborted) setLog({ lines: buffer.end(), state: 'failed', problem: messageOf(error) });
      },
    );
    return () => {
      abort.abort();
      buffer.stop();
    };
  }, [namespace, pod, container, previous]);
  return log;
}

/** Cuts a stream of text into lines and passes them on in batches. */
class LineBuffer {
  private lines: ShownLine[] = [];
  private rest = '';
  private made = 0;
  private timer: Timer | undefined;
  private readonly draw: (lines: readonly ShownLine[]) => void;

  constructor(draw: (lines: readonly ShownLine[]) => void) {
    this.draw = draw;
  }

  add(text: string): void {
    const pieces = (this.rest + text).split('\n');
    this.rest = pieces.pop() ?? '';
    for (const piece of pieces) this.lines.push({ key: this.made++, text: piece });
    this.timer ??= systemClock.after(DRAW_MS, () => {
      this.timer = undefined;
      this.lines = this.lines.slice(-MOST_LINES);
      this.draw(this.lines);
    });
  }

  end(): readonly ShownLine[] {
    this.stop();
    if (this.rest !== '') this.lines = [...this.lines, { key: this.made++, text: this.rest }];
    this.rest = '';
    return this.lines.slice(-MOST_LINES);
  }

  stop(): void {
    this.timer?.cancel();
  }
}
