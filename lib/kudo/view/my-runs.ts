import { isJsonObject, type JsonValue, stringAt } from '@/lib/json/json';
import { CANCELLED, isHoldMessage } from '@/lib/kudo/runs/steering';
import type { Instance, PlanStatus } from '@/lib/kudo/types';

/** Why a run needs the person who started it: it failed, or a hold keeps it from going on. */
export type NeedKind = 'failed' | 'paused';

/** A run that this browser started, as it remembers it. */
export interface MyRun {
  /** The Instance, `namespace/name`. */
  readonly key: string;
  readonly plan: string;
  /** The execution of the plan before this one; empty when there was none. */
  readonly before: string;
  /** The execution, once it was seen. */
  readonly uid: string;
  /** What the person has seen of it; empty when nothing. */
  readonly seen: NeedKind | '';
  /** When it was started, wall ms. */
  readonly atMs: number;
}

/** A run of mine that needs me. */
export interface NeedsMe {
  readonly run: MyRun;
  readonly attention: NeedKind;
  /** What its Instance says; may be empty. */
  readonly message: string;
}

const MOST = 50;
const KEPT_MS = 7 * 24 * 3_600_000;

/** The runs with one more: the same plan of the same Instance is followed once. */
export function withMyRun(mine: readonly MyRun[], started: Omit<MyRun, 'uid' | 'seen'>): readonly MyRun[] {
  const others = mine.filter(({ key, plan }) => key !== started.key || plan !== started.plan);
  return [...others, { ...started, uid: '', seen: '' } as const].slice(-MOST);
}

/**
 * What became of the runs, and which need the person. One that is complete or was cancelled, and one that somebody started again, is
 * forgotten, as is one of an Instance that was not seen for a week. `mine` keeps its identity when nothing changed.
 */
export function followMyRuns(
  mine: readonly MyRun[],
  instanceOf: (key: string) => Instance | undefined,
  nowMs: number,
): { readonly mine: readonly MyRun[]; readonly needs: readonly NeedsMe[] } {
  const needs: NeedsMe[] = [];
  const kept = mine.flatMap((known) => {
    if (nowMs - known.atMs > KEPT_MS) return [];
    const status = instanceOf(known.key)?.status?.planStatus?.[known.plan];
    const uid = status?.uid ?? '';
    if (status === undefined || uid === '' || uid === known.before) return [known];
    if (known.uid !== '' && known.uid !== uid) return [];
    if (isSettled(status)) return [];
    const attention = attentionOf(status);
    const seen = attention === known.seen ? known.seen : '';
    const run = known.uid === uid && known.seen === seen ? known : { ...known, uid, seen };
    if (attention !== '') needs.push({ run, attention, message: status.message ?? '' });
    return [run];
  });
  const isSame = kept.length === mine.length && kept.every((run, index) => run === mine[index]);
  return { mine: isSame ? mine : kept, needs };
}

/** The runs after the person has looked: nothing of them is new any more. */
export function withSeen(mine: readonly MyRun[], needs: readonly NeedsMe[]): readonly MyRun[] {
  return mine.map((run) => {
    const need = needs.find((each) => each.run.key === run.key && each.run.plan === run.plan);
    return need === undefined ? run : { ...need.run, seen: need.attention };
  });
}

/** Those that the person has not seen yet. */
export function unseenNeeds(needs: readonly NeedsMe[]): readonly NeedsMe[] {
  return needs.filter(({ run, attention }) => run.seen !== attention);
}

function isSettled({ status, message = '' }: PlanStatus): boolean {
  return status === 'COMPLETE' || (status === 'FATAL_ERROR' && message.startsWith(CANCELLED));
}

function attentionOf({ status, message = '' }: PlanStatus): NeedKind | '' {
  if (status === 'FATAL_ERROR') return 'failed';
  return isHoldMessage(message) ? 'paused' : '';
}

/** Reads what the browser stored; what is no such text is left out. */
export function parseMyRuns(text: string | null): readonly MyRun[] {
  try {
    const value = JSON.parse(text ?? '[]') as JsonValue;
    return Array.isArray(value) ? value.slice(-MOST).flatMap((entry) => readMyRun(entry) ?? []) : [];
  } catch {
    return [];
  }
}

function readMyRun(value: JsonValue): MyRun | undefined {
  if (!isJsonObject(value)) return undefined;
  const [key, plan] = [stringAt(value, 'key'), stringAt(value, 'plan')];
  const { atMs, seen } = value;
  if (key === undefined || plan === undefined || typeof atMs !== 'number') return undefined;
  return {
    ...{ key, plan, atMs },
    before: stringAt(value, 'before') ?? '',
    uid: stringAt(value, 'uid') ?? '',
    seen: seen === 'failed' || seen === 'paused' ? seen : '',
  };
}
