import { formatTime, parseTime } from '@/lib/clock/clock';
import { limits } from '@/lib/limits/limits';

/** What an Instance counts for while it exists: its own hours, and the meters of its operator. */
export interface Rates {
  readonly [meter: string]: Rate;
}

export interface Rate {
  readonly unit: string;
  readonly value: number;
}

/** An Instance as a controller sees it now. */
export interface SeenLife {
  readonly uid: string;
  readonly name: string;
  readonly operator: string;
  /** Milliseconds since 1970, as all times here. */
  readonly createdMs: number;
  readonly rates: Rates;
}

/** The part of a life that is not in the sums of months yet. It begins with the Instance, or with its last change of rates. */
export interface OpenLife {
  readonly name: string;
  readonly operator: string;
  readonly fromMs: number;
  readonly rates: Rates;
}

/** Sums of a month by operator and meter, in value × milliseconds. */
export interface MonthSums {
  readonly [operator: string]: { readonly [meter: string]: MeterSum };
}

export interface MeterSum {
  readonly unit: string;
  readonly valueMs: number;
}

/**
 * What a namespace has used. A life is `open` until it is closed: added to the sums of its months, and removed from `open`, in one write.
 * So a life counts once whatever happens between two writes: a write that was lost is decided again from what is stored.
 */
export interface UsageLedger {
  /** When every open life was known to exist. */
  readonly checkedMs: number;
  /** By uid. */
  readonly open: { readonly [uid: string]: OpenLife };
  /** By `2026-11`, in UTC. */
  readonly months: { readonly [month: string]: MonthSums };
  /** Uids of the last Instances that went: what was written once is not added again when the answer of the write was lost. */
  readonly ended: readonly string[];
}

export const EMPTY_LEDGER: UsageLedger = { checkedMs: 0, open: {}, months: {}, ended: [] };

/** What a controller knows of the Instances of a namespace. */
export interface Observation {
  readonly seen: readonly SeenLife[];
  /** When Instances were deleted that this controller saw go, by uid. */
  readonly goneMs: ReadonlyMap<string, number>;
  /** Lives of Instances that it saw go before the ledger had them. */
  readonly lost: readonly SeenLife[];
  /** True for an Instance that is this controller's to judge, by name. */
  owns(name: string): boolean;
  readonly nowMs: number;
}

/**
 * The ledger after an observation. A life whose Instance went while no controller watched ends when it was last known to exist.
 * The same object when nothing changed but the time.
 */
export function observeUsage(ledger: UsageLedger, observation: Observation): UsageLedger {
  const changed: ChangedLedger = { open: { ...ledger.open }, months: ledger.months, ended: [...ledger.ended] };
  for (const life of observation.seen) takeSeen(changed, life, observation.nowMs);
  takeGone(changed, ledger, observation);
  const { open, months, ended } = changed;
  if (months === ledger.months && sameKeys(open, ledger.open)) return ledger;
  return {
    checkedMs: observation.nowMs,
    open,
    months: lastMonths(months),
    ended: ended.slice(-limits.usage.endedLives),
  };
}

interface ChangedLedger {
  readonly open: { [uid: string]: OpenLife };
  months: UsageLedger['months'];
  readonly ended: string[];
}

/** Opens a life, or closes the part before a change of its rates. */
function takeSeen(changed: ChangedLedger, life: SeenLife, nowMs: number): void {
  const { open } = changed;
  const before = open[life.uid];
  if (before !== undefined && isSame(before, life)) return;
  if (before !== undefined) {
    changed.months = addLife(changed.months, before, nowMs);
    delete open[life.uid];
  }
  if (Object.keys(open).length >= limits.usage.openLives) return;
  const { name, operator, rates, createdMs } = life;
  open[life.uid] = { name, operator, rates, fromMs: before === undefined ? Math.min(createdMs, nowMs) : nowMs };
}

/** Closes the lives of Instances that went, and adds those that went before they were open. */
function takeGone(changed: ChangedLedger, ledger: UsageLedger, observation: Observation): void {
  const { seen, goneMs, lost, owns, nowMs } = observation;
  const present = new Set(seen.map(({ uid }) => uid));
  const end = (uid: string, life: OpenLife, toMs: number) => {
    changed.months = addLife(changed.months, life, toMs);
    delete changed.open[uid];
    changed.ended.push(uid);
  };
  for (const [uid, life] of Object.entries(changed.open)) {
    if (present.has(uid) || !owns(life.name)) continue;
    end(uid, life, goneMs.get(uid) ?? Math.max(life.fromMs, ledger.checkedMs));
  }
  for (const { uid, name, operator, rates, createdMs } of lost) {
    if (present.has(uid) || changed.ended.includes(uid)) continue;
    end(uid, { name, operator, rates, fromMs: createdMs }, goneMs.get(uid) ?? nowMs);
  }
}

function isSame(life: OpenLife, seen: SeenLife): boolean {
  return life.operator === seen.operator && JSON.stringify(life.rates) === JSON.stringify(seen.rates);
}

function sameKeys(a: { readonly [uid: string]: OpenLife }, b: { readonly [uid: string]: OpenLife }): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((uid) => a[uid] === b[uid]);
}

/** Adds the part of a life up to a time to the months that it is in. */
export function addLife(
  months: UsageLedger['months'],
  { operator, fromMs, rates }: OpenLife,
  toMs: number,
): UsageLedger['months'] {
  const result: { [month: string]: MonthSums } = { ...months };
  for (let atMs = fromMs; atMs < toMs; ) {
    const month = monthOf(atMs);
    const endMs = Math.min(toMs, startOfMonth(monthAfter(month)));
    const sums = result[month] ?? {};
    const meters: { [meter: string]: MeterSum } = { ...sums[operator] };
    for (const [meter, { unit, value }] of Object.entries(rates)) {
      // A meter that changed its unit is another one.
      const key = meters[meter] !== undefined && meters[meter]?.unit !== unit ? `${meter} (${unit})` : meter;
      meters[key] = { unit, valueMs: (meters[key]?.valueMs ?? 0) + value * (endMs - atMs) };
    }
    result[month] = { ...sums, [operator]: meters };
    atMs = endMs;
  }
  return result;
}

function lastMonths(months: UsageLedger['months']): UsageLedger['months'] {
  const kept = Object.keys(months).sort().slice(-limits.usage.months);
  return Object.fromEntries(kept.map((month) => [month, months[month] ?? {}]));
}

/** `2026-11` of a time, in UTC. */
export function monthOf(ms: number): string {
  return formatTime(ms).slice(0, 7);
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}

function startOfMonth(month: string): number {
  return parseTime(`${month}-01T00:00:00Z`) ?? 0;
}
