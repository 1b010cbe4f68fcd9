import { StringDecoder } from 'node:string_decoder';

/** How a body pauses, resumes or aborts its connection. */
export interface Flow {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** With this many unread bytes the connection is paused. */
const HIGH_WATER_BYTES = 256 * 1024;

/**
 * The body of a response as it arrives: read once, chunk by chunk or as a whole. A reader that stops early aborts the connection;
 * a slow one pauses it.
 */
export class ReceivedBody implements AsyncIterable<Uint8Array> {
  private chunks: Buffer[] = [];
  private size = 0;
  private ended = false;
  private failure: Error | undefined;
  private isPaused = false;
  /** Of a body that is read as a whole. More than `maxBytes` of it is an error. */
  private whole: { readonly maxBytes: number; readonly decoder: StringDecoder; text: string } | undefined;
  private wake: () => void = () => undefined;

  constructor(private readonly flow: Flow) {}

  push(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.whole !== undefined) {
      if (this.size > this.whole.maxBytes) this.failTooLarge(this.whole.maxBytes);
      else this.whole.text += this.whole.decoder.write(chunk);
      return;
    }
    this.chunks.push(chunk);
    if (this.size > HIGH_WATER_BYTES && !this.isPaused) {
      this.isPaused = true;
      this.flow.pause();
    }
    this.wake();
  }

  end(): void {
    this.ended = true;
    this.wake();
  }

  fail(error: Error): void {
    this.failure ??= error;
    this.wake();
  }

  /**
   * Everything as UTF-8. It is decoded while it arrives, because the bytes of a page of a list would stay beside its text until a
   * collection of garbage.
   *
   * @throws RangeError for more than `maxBytes`
   */
  async text(maxBytes: number): Promise<string> {
    if (this.size > maxBytes) this.failTooLarge(maxBytes);
    if (this.failure !== undefined) throw this.failure;
    const [only] = this.chunks;
    if (this.ended && this.chunks.length === 1 && only !== undefined) return only.toString('utf8');
    const decoder = new StringDecoder('utf8');
    const whole = { maxBytes, decoder, text: this.chunks.map((chunk) => decoder.write(chunk)).join('') };
    this.chunks = [];
    this.whole = whole;
    this.resume();
    while (!this.ended && this.failure === undefined) await this.nextEvent();
    if (this.failure !== undefined) throw this.failure;
    return whole.text + decoder.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = this.chunks.shift();
        if (chunk !== undefined) {
          this.size -= chunk.length;
          if (this.size <= HIGH_WATER_BYTES / 2) this.resume();
          yield chunk;
        } else if (this.failure !== undefined) throw this.failure;
        else if (this.ended) return;
        else await this.nextEvent();
      }
    } finally {
      if (!this.ended && this.failure === undefined)
        this.flow.abort(new Error('The reader of the response has stopped.'));
    }
  }

  private failTooLarge(maxBytes: number): void {
    const error = new RangeError(`The response is larger than ${maxBytes} bytes.`);
    this.fail(error);
    this.flow.abort(error);
  }

  private resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.flow.resume();
  }

  private nextEvent(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}
