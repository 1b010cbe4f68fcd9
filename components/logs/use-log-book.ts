'use client';

import { useEffect, useState } from 'react';
import { openText } from '@/components/live/open-text';
import { kubePath } from '@/components/resources/resource-path';
import { parseTime, systemClock, type Timer } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import { topics } from '@/lib/live/topic';
import { LogBook, type LogLine } from '@/lib/logs/log-book';
import { type LogRange, logQuery, MOST_LOG_LINES } from './log-options';

export type LogState = 'loading' | 'following' | 'ended' | 'failed';

export interface ReadLogs {
  readonly lines: readonly LogLine[];
  /** How many older lines were dropped. */
  readonly dropped: number;
  /** Of all of them together: `following` while one is. */
  readonly state: LogState;
  /** Why logs cannot be read, by container. */
  readonly problems: readonly string[];
}

/** Lines are drawn at most this often. */
const DRAW_MS = 100;

const LOADING: ReadLogs = { lines: [], dropped: 0, state: 'loading', problems: [] };

/** The logs of containers of one pod as one list of lines by time, and new lines as they are written. */
export function useLogBook(source: {
  readonly namespace: string;
  readonly pod: string;
  readonly containers: readonly string[];
  readonly range: LogRange;
}): ReadLogs {
  const { namespace, pod, range } = source;
  const containers = source.containers.join(',');
  const [read, setRead] = useState(LOADING);
  useEffect(() => {
    setRead(LOADING);
    const reader = new LogReader({ namespace, pod, containers: containers.split(',').filter(Boolean), range }, setRead);
    return () => reader.stop();
  }, [namespace, pod, containers, range]);
  return read;
}

/** Reads logs into a book and says what it has, in batches. */
class LogReader {
  private readonly abort = new AbortController();
  private readonly book: LogBook;
  private readonly problems: string[] = [];
  private running: number;
  private hasAny = false;
  private timer: Timer | undefined;

  constructor(
    {
      namespace,
      pod,
      containers,
      range,
    }: { namespace: string; pod: string; containers: readonly string[]; range: LogRange },
    private readonly say: (read: ReadLogs) => void,
  ) {
    this.book = new LogBook(MOST_LOG_LINES, parseTime(range.until) ?? Number.POSITIVE_INFINITY);
    this.running = containers.length;
    for (const [at, container] of containers.entries()) {
      const path = kubePath({ ...topics.pods(namespace), name: pod, subresource: 'log' });
      void this.read(at, container, `${path}?${logQuery(container, range)}`);
    }
    if (containers.length === 0) this.draw();
  }

  stop(): void {
    this.abort.abort();
    this.timer?.cancel();
  }

  private async read(at: number, container: string, path: string): Promise<void> {
    const { signal } = this.abort;
    try {
      await openText(path, (text) => this.take(at, text), signal);
      this.book.end(at);
    } catch (error) {
      if (signal.aborted) return;
      this.problems.push(`${container}: ${messageOf(error)}`);
    }
    this.running -= 1;
    if (!signal.aborted) this.draw();
  }

  private take(at: number, text: string): void {
    this.book.add(at, text);
    this.hasAny = true;
    this.timer ??= systemClock.after(DRAW_MS, () => {
      this.timer = undefined;
      this.draw();
    });
  }

  private draw(): void {
    const { book, problems, running } = this;
    const lines = book.draw();
    const ended = problems.length > 0 && lines.length === 0 ? 'failed' : 'ended';
    const state = running > 0 ? (this.hasAny ? 'following' : 'loading') : ended;
    this.say({ lines, dropped: book.dropped, state, problems: [...problems] });
  }
}
