/**
 * The words for states: key → word, tone and shape. Views use all three, because colour alone is not accessible. The first six keys are KUDO's own words of plans, phases and steps; the others are derived.
 */
export type StatusKey =
  | 'NEVER_RUN'
  | 'PENDING'
  | 'IN_PROGRESS'
  | 'ERROR'
  | 'FATAL_ERROR'
  | 'COMPLETE'
  | 'healthy'
  | 'waiting'
  | 'unhealthy'
  | 'failing'
  | 'deleting'
  | 'paused'
  | 'approval'
  | 'cancelled'
  | 'skipped'
  | 'drifted'
  | 'stale'
  | 'unknown';

/** The meaning of a colour: `bg-run-soft`, `text-run` and so on exist for each (`idle` is grey). */
export type Tone = 'ok' | 'run' | 'wait' | 'fail' | 'hold' | 'idle';

export type StatusShape =
  | 'hollow'
  | 'dotted'
  | 'arc'
  | 'retry'
  | 'octagon'
  | 'tick'
  | 'hourglass'
  | 'bin'
  | 'bars'
  | 'hand'
  | 'slash'
  | 'chevrons'
  | 'diamond'
  | 'broken-link'
  | 'question';

export interface StatusWord {
  readonly word: string;
  readonly tone: Tone;
  readonly shape: StatusShape;
}

export const statusWords: { readonly [key in StatusKey]: StatusWord } = {
  NEVER_RUN: { word: 'Not run', tone: 'idle', shape: 'hollow' },
  PENDING: { word: 'Queued', tone: 'idle', shape: 'dotted' },
  IN_PROGRESS: { word: 'Running', tone: 'run', shape: 'arc' },
  ERROR: { word: 'Retrying', tone: 'wait', shape: 'retry' },
  FATAL_ERROR: { word: 'Failed', tone: 'fail', shape: 'octagon' },
  COMPLETE: { word: 'Done', tone: 'ok', shape: 'tick' },
  healthy: { word: 'Healthy', tone: 'ok', shape: 'tick' },
  waiting: { word: 'Waiting', tone: 'wait', shape: 'hourglass' },
  unhealthy: { word: 'Not ready', tone: 'wait', shape: 'hourglass' },
  failing: { word: 'Unhealthy', tone: 'fail', shape: 'octagon' },
  deleting: { word: 'Deleting', tone: 'hold', shape: 'bin' },
  paused: { word: 'Paused', tone: 'hold', shape: 'bars' },
  approval: { word: 'Needs approval', tone: 'hold', shape: 'hand' },
  cancelled: { word: 'Cancelled', tone: 'idle', shape: 'slash' },
  skipped: { word: 'Skipped', tone: 'idle', shape: 'chevrons' },
  drifted: { word: 'Changed outside', tone: 'wait', shape: 'diamond' },
  stale: { word: 'Not live', tone: 'idle', shape: 'broken-link' },
  unknown: { word: 'Unknown', tone: 'idle', shape: 'question' },
};

/** The key of a KUDO status text; `unknown` for text that is none, `NEVER_RUN` when absent. */
export function statusKeyOf(status: string | undefined): StatusKey {
  if (status === undefined || status === '') return 'NEVER_RUN';
  return isPlanStatus(status) ? status : 'unknown';
}

const PLAN_STATUSES = ['NEVER_RUN', 'PENDING', 'IN_PROGRESS', 'ERROR', 'FATAL_ERROR', 'COMPLETE'] as const;

function isPlanStatus(status: string): status is (typeof PLAN_STATUSES)[number] {
  return (PLAN_STATUSES as readonly string[]).includes(status);
}
