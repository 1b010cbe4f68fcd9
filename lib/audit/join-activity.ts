import { type ActivityEntry, activityMs, newestActivityFirst } from './activity';

/** Clocks differ, and a run may wait before it begins. */
const SAME_WITHIN_MS = 60_000;

/**
 * Entries of this console and of the cluster as one list, the newest first. What is in both is there once, as the console saw it, with the run
 * that it began.
 *
 * The same are, of one person: an entry and the run with the same execution UID; of entries without one, those with the same verb and object that
 * are next to each other in time, at most a minute apart. An entry that knows its execution is no other run than that, however close.
 *
 * @param own the newest first
 */
export function joinActivity(own: readonly ActivityEntry[], recorded: readonly ActivityEntry[]): ActivityEntry[] {
  const sorted = [...recorded].sort(newestRecordFirst);
  const taken = new Set<ActivityEntry>();
  const byExecution = groupBy(sorted, executionKey);
  const byAction = groupBy(sorted, actionKey);
  const sameOf = new Map<ActivityEntry, ActivityEntry>();
  const take = (entry: ActivityEntry, same: ActivityEntry | undefined) => {
    if (same === undefined) return;
    taken.add(same);
    sameOf.set(entry, same);
  };
  // Certain ones first: what only fits must not take their run.
  const succeeded = own.filter(({ result }) => result === 'ok');
  for (const entry of succeeded) {
    const key = executionKey(entry);
    if (key !== undefined)
      take(
        entry,
        byExecution.get(key)?.find((each) => !taken.has(each)),
      );
  }
  for (const entry of succeeded) {
    if (entry.execution === undefined) take(entry, nearest(entry, byAction.get(actionKey(entry)) ?? [], taken));
  }
  const joined = own.map((entry) => {
    const run = sameOf.get(entry)?.run;
    return run === undefined ? entry : { ...entry, run };
  });
  return merged(
    joined,
    sorted.filter((entry) => !taken.has(entry)),
  );
}

/** Of equally near ones the newest. */
function nearest(
  entry: ActivityEntry,
  candidates: readonly ActivityEntry[],
  taken: ReadonlySet<ActivityEntry>,
): ActivityEntry | undefined {
  const atMs = activityMs(entry);
  let best: { readonly entry: ActivityEntry; readonly apartMs: number } | undefined;
  for (const candidate of candidates) {
    const apartMs = Math.abs(activityMs(candidate) - atMs);
    if (apartMs > SAME_WITHIN_MS || taken.has(candidate)) continue;
    if (best === undefined || apartMs < best.apartMs) best = { entry: candidate, apartMs };
  }
  return best?.entry;
}

/** Records have whole seconds: of two in one second the run with the higher number is the newer one. */
function newestRecordFirst(one: ActivityEntry, other: ActivityEntry): number {
  const byTime = newestActivityFirst(one, other);
  if (byTime !== 0) return byTime;
  const [a = '', b = ''] = [one.run?.name, other.run?.name];
  return b.length - a.length || (a < b ? 1 : a > b ? -1 : 0);
}

function groupBy(entries: readonly ActivityEntry[], keyOf: (entry: ActivityEntry) => string | undefined) {
  const groups = new Map<string, ActivityEntry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return groups;
}

/** Two lists in order as one: there may be very many entries, and they are read again with each new one. */
function merged(one: readonly ActivityEntry[], other: readonly ActivityEntry[]): ActivityEntry[] {
  const result: ActivityEntry[] = [];
  let next = 0;
  for (const entry of one) {
    for (let candidate = other[next]; candidate !== undefined && candidate.time > entry.time; candidate = other[next]) {
      result.push(candidate);
      next += 1;
    }
    result.push(entry);
  }
  return [...result, ...other.slice(next)];
}

/** The same person did the same to the same object. */
function actionKey({ person, verb, object }: ActivityEntry): string {
  return `${person.name}\n${verb}\n${object.resource}\n${object.namespace}\n${object.name}`;
}

/**
 * A person who writes an Instance can choose the UID, so it counts together with the person and the namespace: nobody hides a run behind what
 * another person did. Not with the object: an undo is of a run, and begins another one of the Instance.
 */
function executionKey({ execution, person, object }: ActivityEntry): string | undefined {
  return execution === undefined ? undefined : `${person.name}\n${object.namespace}\n${execution}`;
}
