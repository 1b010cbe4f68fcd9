import { limits } from '@/lib/limits/limits';
import { decode, type Output } from '../shell/language/io';

export interface ContainerLogLine {
  readonly timeMs: number;
  readonly text: string;
}

/**
 * The log of one run of a container: whole lines with their time, the newest within the limits. Stdout and stderr write
 * into it alike; an unfinished line waits for its end.
 */
export class LogBuffer implements Output {
  private lines: ContainerLogLine[] = [];
  private bytes = 0;
  private partial = '';
  private dropped = 0;
  private readonly listeners = new Set<() => void>();
  /** The container has ended: no more lines come. */
  closed = false;

  constructor(private readonly now: () => number) {}

  write(bytes: Uint8Array): void {
    const parts = (this.partial + decode(bytes)).split('\n');
    this.partial = parts.pop() ?? '';
    if (this.partial.length > limits.containerLogBytes) {
      parts.push(this.partial);
      this.partial = '';
    }
    for (const text of parts) this.add(text);
    if (parts.length > 0) this.notify();
  }

  line(text: string): void {
    this.add(text);
    this.notify();
  }

  /** The container has ended: followers read the rest and end. */
  close(): void {
    if (this.partial !== '') this.add(this.partial);
    this.partial = '';
    this.closed = true;
    this.notify();
  }

  /** The number of the next line, counted from the first line there ever was. */
  get end(): number {
    return this.dropped + this.lines.length;
  }

  /** The lines from a number on, as far as they are still kept. */
  from(number: number): readonly ContainerLogLine[] {
    return this.lines.slice(Math.max(0, number - this.dropped));
  }

  /** Calls back once at the next line or at the end, unless it is cancelled. */
  onChange(listener: () => void): { cancel(): void } {
    this.listeners.add(listener);
    return { cancel: () => this.listeners.delete(listener) };
  }

  private add(text: string): void {
    this.lines.push({ timeMs: this.now(), text });
    this.bytes += text.length + 1;
    while (this.bytes > limits.containerLogBytes || this.lines.length > limits.containerLogLines) {
      const oldest = this.lines.shift();
      if (oldest === undefined) break;
      this.bytes -= oldest.text.length + 1;
      this.dropped++;
    }
  }

  private notify(): void {
    const waiting = [...this.listeners];
    this.listeners.clear();
    for (const listener of waiting) listener();
  }
}
