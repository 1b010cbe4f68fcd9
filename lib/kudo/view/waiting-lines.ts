/** An object that a step waits for. */
export interface WaitingLine {
  /** `StatefulSet`, `pod`; empty when the text names no object. */
  readonly kind: string;
  readonly name: string;
  readonly text: string;
}

const OBJECT = /^([A-Za-z]+) ([a-z0-9][a-z0-9.-]*): (.+)$/s;

/** Ends the text of an object, except before its second part: `0 of 3 available; its progress deadline is exceeded`. */
const NEXT = /; (?!its )/;

/** A step's message while it waits (`StatefulSet db: 2 of 3 ready; pod db-2: ImagePullBackOff`) as lines. */
export function waitingLines(message: string): WaitingLine[] {
  return message
    .split(NEXT)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, kind, name, text] = OBJECT.exec(part) ?? [];
      return kind === undefined || name === undefined || text === undefined
        ? { kind: '', name: '', text: part }
        : { kind: kind === 'pod' ? 'Pod' : kind, name, text };
    });
}
