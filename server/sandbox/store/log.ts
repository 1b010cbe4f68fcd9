/** One object as the log keeps it. `body` is JSON text. */
export interface LogRecord {
  readonly resource: string;
  readonly key: string;
  readonly revision: number;
  readonly body: string;
}

/** One write; without a body it is a deletion. */
export interface LogWrite {
  readonly resource: string;
  readonly key: string;
  readonly revision: number;
  readonly body: string | undefined;
}

export interface LogContents {
  /** The highest revision ever given out. */
  readonly revision: number;
  readonly records: readonly LogRecord[];
  /** The revision of the last change of each resource, deletions included. */
  readonly lastRevisionByResource: ReadonlyMap<string, number>;
}

/** Where writes become durable. `append` returns when all of them are on the disk, or throws and none counts. */
export interface Log {
  load(): LogContents;
  append(writes: readonly LogWrite[]): void;
  close(): void;
}

/** A log that forgets, for tests and for a sandbox without a data folder. */
export function memoryLog(): Log {
  return {
    load: () => ({ revision: 0, records: [], lastRevisionByResource: new Map() }),
    append: () => {},
    close: () => {},
  };
}
