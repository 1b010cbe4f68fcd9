import { arrayAt, getAt, type JsonValue, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { ExecutionStatus } from '@/lib/kudo/types';

/**
 * The last runs of an Instance, oldest first, as JSON on the Instance: what ran, how it ended, and how long each step took. It is
 * written with the write that ends a run, and so costs no request. JSON: `[[plan, uid, status, startedAt, endedAt, seconds,
 * [[phase, [[step, status, seconds], …]], …]], …]`; a status is one letter (see {@link LETTERS}), times are RFC 3339 and empty
 * when not known, seconds are `null` when not known.
 */
export const HISTORY_ANNOTATION = 'bravo.kudo.dev/runs';

const MOST_RUNS = 20;
/** Annotations are sent with every write of an Instance: the oldest runs of plans with very many steps go earlier. */
const MAX_CHARS = 12_000;

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
  const value = parse(object.metadata.annotations?.[HISTORY_ANNOTATION]);
  if (!Array.isArray(value)) return [];
  return value.map(readRun).filter((run) => run.plan !== '' && run.uid !== '');
}

/** The history with these runs at its end; runs that it has already keep their place and their record. */
export function withRuns(history: readonly RecordedRun[], runs: readonly RecordedRun[]): RecordedRun[] {
  const known = new Set(history.map(({ uid }) => uid));
  const fresh = runs.filter(({ uid }) => !known.has(uid));
  return [...history, ...fresh].slice(-MOST_RUNS);
}

/** The annotation's text: as many of the last runs as fit; the last one without its steps when it is too long alone. */
export function formatRuns(runs: readonly RecordedRun[]): string {
  const texts = runs.map((run) => JSON.stringify(writeRun(run)));
  let chars = 2;
  let from = texts.length;
  while (from > 0) {
    chars += (texts[from - 1]?.length ?? 0) + 1;
    if (chars > MAX_CHARS) break;
    from--;
  }
  const last = runs.at(-1);
  // A run is never left out, however many steps it had: its entry proves that its end was announced.
  if (from === texts.length && last !== undefined) return JSON.stringify([writeRun({ ...last, steps: [] })]);
  return `[${texts.slice(from).join(',')}]`;
}

function writeRun({ plan, uid, status, startedAt, endedAt, seconds, steps }: RecordedRun): JsonValue {
  const phases: [string, JsonValue[]][] = [];
  for (const step of steps) {
    let last = phases.at(-1);
    if (last === undefined || last[0] !== step.phase) {
      last = [step.phase, []];
      phases.push(last);
    }
    last[1].push([step.step, letterOf(step.status), step.seconds ?? null]);
  }
  return [plan, uid, letterOf(status), startedAt, endedAt, seconds ?? null, phases];
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
    steps: arrayAt(value, 6).flatMap((phase) =>
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
