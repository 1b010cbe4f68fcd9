import { appendFileSync, closeSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { pause } from './tools';

/** The query of `containerLogs` (Kubernetes core/v1 PodLogOptions). */
export interface LogQuery {
  readonly follow: boolean;
  readonly tailLines?: number | undefined;
  readonly limitBytes?: number | undefined;
  readonly sinceMs?: number | undefined;
  readonly timestamps: boolean;
}

/** Both streams of one run of a container as a file: each line begins with its time. */
export class LogFile {
  private rest = '';
  private isClosed = false;
  private readonly decoder = new TextDecoder();

  constructor(readonly path: string) {
    writeFileSync(path, '');
  }

  write(chunk: Buffer): void {
    const lines = (this.rest + this.decoder.decode(chunk, { stream: true })).split('\n');
    this.rest = lines.pop() ?? '';
    this.append(lines);
  }

  close(): void {
    if (this.rest !== '') this.append([this.rest]);
    this.rest = '';
    this.isClosed = true;
  }

  private append(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const time = `${new Date().toISOString().slice(0, -1)}000000Z`;
    appendFileSync(this.path, lines.map((line) => `${time} ${line}\n`).join(''));
  }

  /** The last lines without their times, at most this many bytes. */
  tail(lines: number, bytes: number): string {
    const all = this.readFrom(0)
      .text.split('\n')
      .slice(0, -1)
      .map((line) => line.slice(line.indexOf(' ') + 1));
    return all.length === 0 ? '' : `${all.slice(-lines).join('\n')}\n`.slice(-bytes);
  }

  /** The lines that a query asks for, in chunks; with `follow` until the run ends or the signal comes. */
  async *read(query: LogQuery, signal: AbortSignal): AsyncGenerator<string> {
    let { text, end } = this.readFrom(0);
    let left = query.limitBytes ?? Number.POSITIVE_INFINITY;
    let lines = linesOf(text);
    if (query.tailLines !== undefined) lines = lines.slice(Math.max(0, lines.length - query.tailLines));
    for (;;) {
      const shown = lines
        .filter((line) => query.sinceMs === undefined || Date.parse(line.slice(0, line.indexOf(' '))) >= query.sinceMs)
        .map((line) => `${query.timestamps ? line : line.slice(line.indexOf(' ') + 1)}\n`)
        .join('')
        .slice(0, left);
      left -= shown.length;
      if (shown !== '') yield shown;
      if (!query.follow || left <= 0 || signal.aborted) return;
      const wasClosed = this.isClosed;
      ({ text, end } = this.readFrom(end));
      lines = linesOf(text);
      if (lines.length > 0) continue;
      if (wasClosed) return;
      await pause(FOLLOW_MS, signal);
    }
  }

  /** From a byte on; only whole lines are written to the file. */
  private readFrom(offset: number): { text: string; end: number } {
    const size = statSync(this.path).size;
    const buffer = Buffer.alloc(Math.max(0, size - offset));
    const file = openSync(this.path, 'r');
    try {
      const read = readSync(file, buffer, 0, buffer.length, offset);
      return { text: buffer.subarray(0, read).toString('utf8'), end: offset + read };
    } finally {
      closeSync(file);
    }
  }
}

const FOLLOW_MS = 100;

function linesOf(text: string): string[] {
  return text.split('\n').slice(0, -1);
}
