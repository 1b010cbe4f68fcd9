import { limits } from '@/lib/limits/limits';
import type { Steps } from './process';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Where a command writes. */
export interface Output {
  write(bytes: Uint8Array): void;
}

/** Where a command reads: in chunks, in lines, or all of it. */
export class InputStream {
  /**
   * @param pending what is there to read
   * @param isOpen more comes from outside the process
   * @param isTerminal after an end (Ctrl-D) there may be more
   */
  constructor(
    private pending: Uint8Array = new Uint8Array(0),
    private isOpen = false,
    private readonly isTerminal = false,
  ) {}

  *chunk(): Steps<Uint8Array | undefined> {
    const chunk = this.pending;
    this.pending = new Uint8Array(0);
    if (chunk.length > 0) return chunk;
    if (!this.isOpen) return undefined;
    const next = yield { kind: 'read' };
    this.isOpen = next !== undefined || this.isTerminal;
    return next;
  }

  *all(): Steps<Uint8Array> {
    const read = new Collector(limits.shellFileBytes);
    for (let chunk = yield* this.chunk(); chunk !== undefined; chunk = yield* this.chunk()) read.write(chunk);
    return read.bytes();
  }

  /** The next line without its newline, undefined at the end. */
  *line(): Steps<string | undefined> {
    const parts: Uint8Array[] = [];
    for (let chunk = yield* this.chunk(); chunk !== undefined; chunk = yield* this.chunk()) {
      const end = chunk.indexOf(10);
      parts.push(end < 0 ? chunk : chunk.subarray(0, end));
      if (end < 0) continue;
      this.pending = chunk.subarray(end + 1);
      return decode(Buffer.concat(parts));
    }
    return parts.length === 0 ? undefined : decode(Buffer.concat(parts));
  }
}

/** An output that keeps what it gets. */
export class Collector implements Output {
  private readonly chunks: Uint8Array[] = [];
  private total = 0;

  constructor(private readonly maxBytes = limits.shellOutputBytes) {}

  write(bytes: Uint8Array): void {
    this.total += bytes.length;
    if (this.total > this.maxBytes) throw new OverLimit('output too large');
    this.chunks.push(bytes);
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.chunks);
  }
}

export const nowhere: Output = { write: () => {} };

/** A limit of the sandbox was reached: the process is killed. */
export class OverLimit extends Error {}

/** The three streams of a command. */
export interface Streams {
  readonly stdin: InputStream;
  readonly stdout: Output;
  readonly stderr: Output;
}

export function print(output: Output, text: string): void {
  if (text !== '') output.write(encode(text));
}
