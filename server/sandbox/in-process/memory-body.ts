/** As much as a Node stream holds before it asks its writer to wait. */
const HIGH_WATER_BYTES = 16 * 1024;

export interface BodyListeners {
  /** The reader has taken everything that was too much. */
  drained(): void;
  /** The reader went away before the end. */
  left(): void;
}

/**
 * The bytes between one writer and one reader in the same process.
 *
 * States: *open* (chunks wait, or the reader waits) → *ended* (what waits is still given out, then done) or broken by an
 * error (reading throws it). The reader that leaves early closes it.
 */
export class MemoryBody implements AsyncIterable<Uint8Array> {
  private readonly chunks: Uint8Array[] = [];
  private state: 'open' | 'ended' | Error = 'open';
  private wake: () => void = () => {};
  private held = 0;

  constructor(private readonly listeners: BodyListeners) {}

  get waitingBytes(): number {
    return this.held;
  }

  /** False when the writer should wait for `drained`. */
  push(chunk: Uint8Array): boolean {
    if (this.state !== 'open') return false;
    this.chunks.push(chunk);
    this.held += chunk.length;
    this.wake();
    return this.held < HIGH_WATER_BYTES;
  }

  end(): void {
    this.close('ended');
  }

  break(problem: Error): void {
    this.close(problem);
  }

  private close(state: 'ended' | Error): void {
    if (this.state === 'open') this.state = state;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        if (this.state instanceof Error) throw this.state;
        const chunk = this.chunks.shift();
        if (chunk !== undefined) {
          const wasFull = this.held >= HIGH_WATER_BYTES;
          this.held -= chunk.length;
          if (wasFull && this.held < HIGH_WATER_BYTES) this.listeners.drained();
          yield chunk;
        } else if (this.state === 'ended') return;
        else await new Promise<void>((resolve) => (this.wake = resolve));
      }
    } finally {
      if (this.state === 'open') this.listeners.left();
    }
  }
}
