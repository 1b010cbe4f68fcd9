import { formatMilliTime, parseTime } from '@/lib/clock/clock';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { PLAN_APPROVALS, type PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { PLAN_RUNS, type PlanRun, type RunCause } from '@/lib/kudo/runs/plan-run';
import type { ActivityEntry } from './activity';
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
  const { instanceName = '', requestedBy = '', uid = '' } = spec;
  const [namespace, name] = [namespaceOf(run), nameOf(run)];
  const link = { instance: instanceName, name };
  const entry = entryIn({ namespace, id: run.metadata.uid ?? '', ...where });
  const first = entry(run.metadata.creationTimestamp, requestedBy, {
    ...beginning(run),
    object: { ...INSTANCES, namespace, name: instanceName, subresource: '' },
  });
  const begun = first && { ...first, ...(uid === '' ? {} : { execution: uid }) };
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
  Object: 'run',
  Parameters: 'edit',
  Version: 'upgrade',
  Manual: 'run',
  Schedule: 'run',
  Resource: 'run',
  Waves: 'run',
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
