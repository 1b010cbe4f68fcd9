import { isJsonObject, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import { type RecordedChange, RUN_CAUSES, type RunCause } from './plan-run';

/** Why an execution began, who asked for it, and what changed with it; kept in the record of what is acted upon until the next one. */
export interface RunOrigin {
  readonly cause: RunCause;
  /** A user name, or `field manager NAME`; absent when nobody can tell. */
  readonly by?: string;
  readonly reason?: string;
  readonly stopAfter?: string;
  readonly retryOf?: string;
  readonly undoOf?: string;
  /** The token of the preview. */
  readonly preview?: string;
  /** The name of the OperatorVersion before, when it is another one. */
  readonly versionBefore?: string;
  readonly changes?: readonly RecordedChange[];
  /** Whose lock this start broke, and why: a sentence. */
  readonly brokenLock?: string;
  /** The PlanApproval that the start used. */
  readonly approval?: string;
}

const ORIGIN_TEXTS = [
  'by',
  'reason',
  'stopAfter',
  'retryOf',
  'undoOf',
  'preview',
  'versionBefore',
  'brokenLock',
  'approval',
] as const;

/** The origin in a record's JSON; undefined when it holds none that can be read. */
export function readOrigin(value: JsonValue | undefined): RunOrigin | undefined {
  if (!isJsonObject(value)) return undefined;
  const cause = RUN_CAUSES.find((known) => known === value.cause);
  if (cause === undefined) return undefined;
  const texts = ORIGIN_TEXTS.flatMap((key) => {
    const text = stringAt(value, key);
    return text === undefined ? [] : [[key, text] as const];
  });
  const changes = Array.isArray(value.changes) ? value.changes.filter(isJsonObject).map(readChange) : [];
  return { cause, ...Object.fromEntries(texts), ...(changes.length === 0 ? {} : { changes }) };
}

function readChange(value: JsonValue): RecordedChange {
  const change = objectAt({ value }, 'value');
  const [name = '', before, after] = ['name', 'before', 'after'].map((key) => stringAt(change, key));
  return {
    name,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(change.secret === true ? { secret: true } : {}),
  };
}
