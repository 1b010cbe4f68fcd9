import type { Steps } from './effects';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function concat(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0];
  const result = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    result.set(chunk, at);
    at += chunk.length;
  }
  return result;
}

/** Where a command writes. */
export interface Output {
  write(bytes: Uint8Array): void;
}

/** Where a command reads: in chunks, in lines, or all of it. */
export class InputStream {
  private pending: Uint8Array = new Uint8Array(0);
  private ended = false;

  /** @param source the next chunk, undefined at the end */
  constructor(private readonly source: () => Steps<Uint8Array | undefined>) {}

  static of(bytes: Uint8Array): InputStream {
    let given = false;
    // biome-ignore lint/correctness/useYield: a source that has all its bytes never waits
    return new InputStream(function* () {
      if (given) return undefined;
      given = true;
      return bytes;
    });
  }

  static empty(): InputStream {
    return InputStream.of(new Uint8Array(0));
  }

  /** The standard input of the process, which comes from outside. */
  static outer(): InputStream {
    return new InputStream(function* () {
      return yield { kind: 'read' };
    });
  }

  *chunk(): Steps<Uint8Array | undefined> {
    if (this.pending.length > 0) {
      const chunk = this.pending;
      this.pending = new Uint8Array(0);
      return chunk;
    }
    if (this.ended) return undefined;
    const chunk = yield* this.source();
    if (chunk === undefined) this.ended = true;
    return chunk;
  }

  *all(maxBytes: number): Steps<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let total = 0;
    for (let chunk = yield* this.chunk(); chunk !== undefined; chunk = yield* this.chunk()) {
      total += chunk.length;
      if (total > maxBytes) throw new OverLimit('input too large');
      chunks.push(chunk);
    }
    return concat(chunks);
  }

  /** The next line without its newline, undefined at the end. */
  *line(): Steps<string | undefined> {
    const parts: Uint8Array[] = [];
    for (;;) {
      const chunk = yield* this.chunk();
      if (chunk === undefined) return parts.length === 0 ? undefined : decode(concat(parts));
      const end = chunk.indexOf(10);
      if (end < 0) {
        if (chunk.length > 0) parts.push(chunk);
        continue;
      }
      this.pending = chunk.subarray(end + 1);
      parts.push(chunk.subarray(0, end));
      return decode(concat(parts));
    }
  }
}

/** An output that keeps what it gets. */
export class Collector implements Output {
  private readonly chunks: Uint8Array[] = [];
  private total = 0;

  constructor(private readonly maxBytes: number) {}

  write(bytes: Uint8Array): void {
    this.total += bytes.length;
    if (this.total > this.maxBytes) throw new OverLimit('output too large');
    this.chunks.push(bytes.slice());
  }

  bytes(): Uint8Array {
    return concat(this.chunks);
  }
}

export const nowhere: Output = { write: () => {} };

/** A limit of the sandbox was reached: the process is killed. */
export class OverLimit extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OverLimit';
  }
}

/** The three streams of a command. */
export interface Streams {
  readonly stdin: InputStream;
  readonly stdout: Output;
  readonly stderr: Output;
}

export function print(output: Output, text: string): void {
  if (text !== '') output.write(encode(text));
}
