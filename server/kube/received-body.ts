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
  /** More than this of a body that is read as a whole is an error. */
  private maxBytes: number | undefined;
  private wake: () => void = () => undefined;

  constructor(private readonly flow: Flow) {}

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.maxBytes === undefined) {
      if (this.size > HIGH_WATER_BYTES && !this.isPaused) {
        this.isPaused = true;
        this.flow.pause();
      }
      this.wake();
    } else if (this.size > this.maxBytes) this.failTooLarge();
  }

  end(): void {
    this.ended = true;
    this.wake();
  }

  fail(error: Error): void {
    this.failure ??= error;
    this.wake();
  }

  /** Everything in one buffer. @throws RangeError for more than `maxBytes` */
  async whole(maxBytes: number): Promise<Buffer> {
    this.maxBytes = maxBytes;
    if (this.size > maxBytes) this.failTooLarge();
    this.resume();
    while (!this.ended && this.failure === undefined) await this.nextEvent();
    if (this.failure !== undefined) throw this.failure;
    const [only] = this.chunks;
    return this.chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.chunks);
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

  private failTooLarge(): void {
    const error = new RangeError(`The response is larger than ${this.maxBytes} bytes.`);
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
