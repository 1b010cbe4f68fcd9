import { arrayAt, getAt, type JsonValue, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { ExecutionStatus } from '@/lib/kudo/types';

/**
 * The last two runs of an Instance that have ended, oldest first, as JSON on the Instance: the proof that their ends were announced. It is
 * written with the write that ends a run, and so costs no request. JSON: `[[plan, uid, status, startedAt, endedAt, seconds], …]`; a
 * status is one letter (see {@link LETTERS}), times are RFC 3339 and empty when not known, seconds are `null` when not known.
 *
 * Earlier versions kept twenty runs here, each with a seventh member: `[[phase, [[step, status, seconds], …]], …]`. These become PlanRuns.
 */
export const HISTORY_ANNOTATION = 'bravo.kudo.dev/runs';

const MOST_RUNS = 2;
/** Annotations are sent with every write of an Instance. */
const MAX_CHARS = 300;
/** The place of the steps in a row of an earlier version. */
const STEPS = 6;
/** What earlier versions kept at most; more is not from them. */
const EARLIER_RUNS = 20;
const EARLIER_CHARS = 12_000;

export interface RecordedStep {
  readonly phase: string;
  readonly step: string;
  readonly status: ExecutionStatus;
  /** Undefined when no process saw both its beginning and its end. */
  readonly seconds: number | undefined;
}

export interface RecordedRun {
  readonly plan: string;
  readonly uid: string;
  readonly status: ExecutionStatus;
  /** RFC 3339, or the empty string. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly seconds: number | undefined;
  /** In the order of the plan. */
  readonly steps: readonly RecordedStep[];
}

const LETTERS = {
  C: 'COMPLETE',
  F: 'FATAL_ERROR',
  E: 'ERROR',
  I: 'IN_PROGRESS',
  P: 'PENDING',
  N: 'NEVER_RUN',
} as const;

/** The recorded runs of an Instance, oldest first; none for an annotation that cannot be read. */
export function runHistory(object: Pick<KubeObject, 'metadata'>): RecordedRun[] {
  return rowsOf(object).map(readRun);
}

function rowsOf(object: Pick<KubeObject, 'metadata'>): JsonValue[] {
  const value = parse(object.metadata.annotations?.[HISTORY_ANNOTATION]);
  if (!Array.isArray(value)) return [];
  return value.filter((row) => readRun(row).plan !== '' && readRun(row).uid !== '');
}

/** The runs that an earlier version recorded on the Instance, with their steps, oldest first. */
export function runsOfEarlierVersion(object: Pick<KubeObject, 'metadata'>): RecordedRun[] {
  return earlierRowsOf(object).map(readRun);
}

/**
 * The annotation's text when this run is at the end of the history; a run that it has already keeps its place.
 *
 * @param keepsEarlier what an earlier version recorded stays as it is: nothing else has it
 */
export function historyAfter(
  object: Pick<KubeObject, 'metadata'>,
  run: RecordedRun,
  { keepsEarlier }: { readonly keepsEarlier: boolean },
): string {
  const rows = rowsOf(object);
  const earlier = keepsEarlier ? earlierRowsOf(object) : [];
  const isKnown = rows.some((row) => readRun(row).uid === run.uid);
  const all = isKnown ? rows : [...rows, writeRun(run)];
  const kept = new Set(earlier.map((row) => readRun(row).uid));
  const last = all.slice(-MOST_RUNS).map(readRun);
  return JSON.stringify([...earlier, ...fitting(last.filter(({ uid }) => !kept.has(uid)).map(writeRun))]);
}

/** The last run is never left out: its entry proves that its end was announced. */
function fitting(rows: readonly JsonValue[]): readonly JsonValue[] {
  return JSON.stringify(rows).length > MAX_CHARS ? rows.slice(-1) : rows;
}

function writeRun({ plan, uid, status, startedAt, endedAt, seconds }: RecordedRun): JsonValue {
  return [plan, uid, letterOf(status), startedAt, endedAt, seconds ?? null];
}

function earlierRowsOf(object: Pick<KubeObject, 'metadata'>): JsonValue[] {
  const { length = 0 } = object.metadata.annotations?.[HISTORY_ANNOTATION] ?? '';
  if (length > EARLIER_CHARS) return [];
  return rowsOf(object)
    .filter((row) => Array.isArray(row) && row.length > STEPS)
    .slice(-EARLIER_RUNS);
}

function readRun(value: JsonValue): RecordedRun {
  const text = (index: number) => stringAt(value, index) ?? '';
  return {
    plan: text(0),
    uid: text(1),
    status: statusOf(getAt(value, 2)),
    startedAt: text(3),
    endedAt: text(4),
    seconds: secondsOf(getAt(value, 5)),
    steps: arrayAt(value, STEPS).flatMap((phase) =>
      arrayAt(phase, 1).map((step) => ({
        phase: stringAt(phase, 0) ?? '',
        step: stringAt(step, 0) ?? '',
        status: statusOf(getAt(step, 1)),
        seconds: secondsOf(getAt(step, 2)),
      })),
    ),
  };
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Another client wrote the annotation: there is no history then.
    return undefined;
  }
}

function letterOf(status: ExecutionStatus): string {
  return Object.entries(LETTERS).find(([, word]) => word === status)?.[0] ?? 'N';
}

function statusOf(letter: unknown): ExecutionStatus {
  const found = Object.entries(LETTERS).find(([known]) => known === letter);
  return found?.[1] ?? 'NEVER_RUN';
}

function secondsOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
