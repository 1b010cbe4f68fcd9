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
 * States: *open* (chunks wait, or the reader waits) → *ended* (what waits is still given out, then done) or *broken*
 * (reading throws). The reader that leaves early closes it.
 */
export class MemoryBody implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  private readonly chunks: Uint8Array[] = [];
  private waiting: PromiseWithResolvers<IteratorResult<Uint8Array>> | undefined;
  private state: 'open' | 'ended' | 'broken' = 'open';
  private problem: Error | undefined;
  private held = 0;

  constructor(private readonly listeners: BodyListeners) {}

  get waitingBytes(): number {
    return this.held;
  }

  /** False when the writer should wait for `drained`. */
  push(chunk: Uint8Array): boolean {
    if (this.state !== 'open') return false;
    const reader = this.takeReader();
    if (reader !== undefined) {
      reader.resolve({ done: false, value: chunk });
      return true;
    }
    this.chunks.push(chunk);
    this.held += chunk.length;
    return this.held < HIGH_WATER_BYTES;
  }

  end(): void {
    if (this.state !== 'open') return;
    this.state = 'ended';
    this.takeReader()?.resolve({ done: true, value: undefined });
  }

  break(problem: Error): void {
    if (this.state !== 'open') return;
    this.state = 'broken';
    this.problem = problem;
    this.takeReader()?.reject(problem);
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    if (this.state === 'broken') return Promise.reject(this.problem);
    const chunk = this.chunks.shift();
    if (chunk !== undefined) {
      const wasFull = this.held >= HIGH_WATER_BYTES;
      this.held -= chunk.length;
      if (wasFull && this.held < HIGH_WATER_BYTES) this.listeners.drained();
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.state === 'ended') return Promise.resolve({ done: true, value: undefined });
    this.waiting = withResolvers();
    return this.waiting.promise;
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    if (this.state === 'open') this.listeners.left();
    return Promise.resolve({ done: true, value: undefined });
  }

  private takeReader(): PromiseWithResolvers<IteratorResult<Uint8Array>> | undefined {
    const reader = this.waiting;
    this.waiting = undefined;
    return reader;
  }
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/** Promise.withResolvers is not in Node 20. */
function withResolvers<T>(): PromiseWithResolvers<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((accept, refuse) => {
    resolve = accept;
    reject = refuse;
  });
  return { promise, resolve, reject };
}
