import { formatMilliTime, parseTime } from '@/lib/clock/clock';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { PLAN_APPROVALS, type PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { PLAN_RUNS, type PlanRun, type RunCause } from '@/lib/kudo/runs/plan-run';
import { type ActivityEntry, newestActivityFirst } from './activity';
import type { AuditedObject } from './audit-entry';

/** The cluster that is shown, as entries name it. */
type Where = { readonly cluster: string };

const STEERED: { readonly [event: string]: readonly [verb: string, summary: string] } = {
  Paused: ['pause', 'paused the run'],
  Resumed: ['resume', 'resumed the run'],
  Cancelled: ['cancel', 'cancelled the run'],
  Skipped: ['skip', 'skipped a step'],
  StopAfter: ['stop', 'changed where the run stops'],
  LockBroken: ['unlock', 'broke the lock'],
};

/** What people did, as a PlanRun records it: its beginning, and how it was steered. Nothing of a run that nobody asked for. */
export function entriesOfRun(run: PlanRun, where: Where): ActivityEntry[] {
  const { spec = {}, status = {} } = run;
  const { instanceName = '', requestedBy = '' } = spec;
  const [namespace, name] = [namespaceOf(run), nameOf(run)];
  const link = { instance: instanceName, name };
  const entry = entryIn({ namespace, id: run.metadata.uid ?? '', ...where });
  const begun = entry(run.metadata.creationTimestamp, requestedBy, {
    ...beginning(run),
    object: { ...INSTANCES, namespace, name: instanceName, subresource: '' },
  });
  const steered = (status.steering ?? []).map(({ at, by = '', event = '' }, index) => {
    const [verb, summary] = STEERED[event] ?? ['', ''];
    const object = { ...PLAN_RUNS, namespace, name, subresource: '' };
    const found = verb === '' ? undefined : entry(at, by, { verb, summary, object });
    return found && { ...found, id: `${found.id}/${index}` };
  });
  return [begun, ...steered].flatMap((each) => (each === undefined ? [] : [{ ...each, run: link }]));
}

const VERB_OF_CAUSE: { readonly [cause in RunCause]: string } = {
  Create: 'install',
  Parameters: 'edit',
  Version: 'upgrade',
  Manual: 'run',
  Schedule: 'run',
  Parent: 'run',
  SelfHeal: 'run',
  Retry: 'retry',
};

function beginning({ spec = {} }: PlanRun): Pick<ActivityEntry, 'verb' | 'summary'> {
  const { plan = '', cause = 'Manual', retryOf, undoOf } = spec;
  if (undoOf !== undefined) return { verb: 'undo', summary: `undid run ${undoOf}` };
  if (cause === 'Retry') return { verb: 'retry', summary: `retried run ${retryOf ?? plan}` };
  const why: { readonly [cause in RunCause]?: string } = {
    Create: 'created the Instance, ',
    Parameters: 'changed parameters, ',
    Version: 'changed the version, ',
  };
  return { verb: VERB_OF_CAUSE[cause], summary: `${why[cause] ?? ''}started plan ${plan}` };
}

/** What people did, as a PlanApproval records it: who asked, and who decided. */
export function entriesOfApproval(approval: PlanApproval, where: Where): ActivityEntry[] {
  const { spec = {}, status = {} } = approval;
  const namespace = namespaceOf(approval);
  const object = { ...PLAN_APPROVALS, namespace, name: nameOf(approval), subresource: '' };
  const entry = entryIn({ namespace, id: approval.metadata.uid ?? '', ...where });
  const what = `plan ${spec.plan ?? ''} of ${spec.instanceName ?? ''}`;
  return [
    entry(spec.requestedAt, spec.requestedBy, { verb: 'request', summary: `asked for an approval of ${what}`, object }),
    entry(status.approvedAt, status.approvedBy, { verb: 'approve', summary: `approved ${what}`, object }),
    entry(status.rejectedAt, status.rejectedBy, { verb: 'reject', summary: `rejected ${what}`, object }),
  ].flatMap((each) => (each === undefined ? [] : [{ ...each, id: `${each.id}/${each.verb}` }]));
}

function entryIn({ id, cluster }: Where & { readonly namespace: string; readonly id: string }) {
  return (
    at: string | null | undefined,
    by: string | undefined,
    what: { readonly verb: string; readonly summary: string; readonly object: AuditedObject },
  ): ActivityEntry | undefined => {
    const atMs = parseTime(at);
    if (atMs === undefined || by === undefined || by === '') return undefined;
    return {
      time: formatMilliTime(atMs),
      id,
      person: { name: by, groups: [] },
      address: '',
      cluster,
      ...what,
      result: 'ok',
      status: 0,
      reason: '',
      durationMs: 0,
      source: 'cluster',
    };
  };
}

/** Clocks differ, and a run may wait before it begins. */
const SAME_WITHIN_MS = 60_000;

/**
 * Entries of this console and of the cluster as one list, the newest first. What is in both is there once, as the console saw it, with the run that
 * it began.
 *
 * @param own the newest first
 */
export function joinActivity(own: readonly ActivityEntry[], recorded: readonly ActivityEntry[]): ActivityEntry[] {
  const { byAction, verbs } = timedByAction(recorded);
  const taken = new Set<ActivityEntry>();
  const joined = own.map((entry) => {
    if (entry.result !== 'ok' || !verbs.has(entry.verb)) return entry;
    const candidates = byAction.get(actionKey(entry));
    if (candidates === undefined) return entry;
    const ownMs = parseTime(entry.time) ?? 0;
    const same = candidates.find(({ ms, entry: other }) => Math.abs(ms - ownMs) <= SAME_WITHIN_MS && !taken.has(other));
    if (same === undefined) return entry;
    taken.add(same.entry);
    return same.entry.run === undefined ? entry : { ...entry, run: same.entry.run };
  });
  return merged(joined, recorded.filter((entry) => !taken.has(entry)).sort(newestActivityFirst));
}

interface TimedEntry {
  readonly ms: number;
  readonly entry: ActivityEntry;
}

function timedByAction(recorded: readonly ActivityEntry[]) {
  const byAction = new Map<string, TimedEntry[]>();
  const verbs = new Set<string>();
  for (const entry of recorded) {
    verbs.add(entry.verb);
    const key = actionKey(entry);
    const timed = { ms: parseTime(entry.time) ?? 0, entry };
    const same = byAction.get(key);
    if (same === undefined) byAction.set(key, [timed]);
    else same.push(timed);
  }
  return { byAction, verbs };
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
