/** A log that is read: of one container. */
export interface LogSource {
  readonly container: string;
  /** Its log before the last restart exists. */
  readonly hasPrevious: boolean;
}

/** What is read of a log. */
export interface LogRange {
  readonly previous: boolean;
  /** The last lines. */
  readonly lines: number;
  /** Lines since this time and until this one, RFC 3339; empty: no limit. */
  readonly since: string;
  readonly until: string;
}

/** Beyond this the oldest lines are dropped, to limit the memory of the browser. */
export const MOST_LOG_LINES = 100_000;
const FIRST_LINES = 500;

export const FIRST_RANGE: LogRange = { previous: false, lines: FIRST_LINES, since: '', until: '' };

/** The query of `pods/log` for a container. Times are always read, so that several logs have one order. */
export function logQuery(container: string, { previous, lines, since, until }: LogRange): URLSearchParams {
  const query = new URLSearchParams({ container, timestamps: 'true' });
  // A range is read from its beginning; the book drops what is too much.
  if (since === '') query.set('tailLines', String(lines));
  else query.set('sinceTime', since);
  if (previous) query.set('previous', 'true');
  else if (until === '') query.set('follow', 'true');
  return query;
}

/** Colours of the containers of one view; after the last one they begin again, and the name is always there. */
export const SOURCE_TONES = ['text-run', 'text-hold', 'text-ok', 'text-wait', 'text-fail', 'text-ink-2'] as const;

/** The colour of a source. */
export function sourceTone(source: number): string {
  return SOURCE_TONES[source % SOURCE_TONES.length] ?? '';
}
