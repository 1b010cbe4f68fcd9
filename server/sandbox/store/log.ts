/** One write; without a body, which is JSON text, it is a deletion. */
export interface LogWrite {
  readonly resource: string;
  readonly key: string;
  readonly revision: number;
  readonly body: string | undefined;
}

/** One object as the log keeps it. */
export interface LogRecord extends LogWrite {
  readonly body: string;
}

export interface LogContents {
  /** The highest revision ever given out. */
  readonly revision: number;
  readonly records: readonly LogRecord[];
  /** The revision of the last change of each resource, deletions included. */
  readonly lastRevisionByResource: ReadonlyMap<string, number>;
}

/**
 * Where writes become durable. `append` takes all of them over, or throws and none counts. What was appended is durable when
 * `sync` resolves, and where there is no `sync`, when `append` returns. `close` makes durable what was appended.
 */
export interface StoreLog {
  load(): LogContents;
  append(writes: readonly LogWrite[]): void;
  /** Called again only when it has settled. A rejection means that the disk cannot be trusted any more. */
  sync?(): Promise<void>;
  close(): void;
}

/** A log that forgets, for tests and for a sandbox without a data folder. */
export function memoryLog(): StoreLog {
  return {
    load: () => ({ revision: 0, records: [], lastRevisionByResource: new Map() }),
    append: () => {},
    close: () => {},
  };
}
