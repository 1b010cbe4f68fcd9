import {
  type Activity,
  type ActivityEntry,
  type ActivityFilter,
  activityMatcher,
  choicesOf,
} from '@/lib/audit/activity';
import { entriesOfApproval, entriesOfRun } from '@/lib/audit/cluster-entries';
import { joinActivity } from '@/lib/audit/join-activity';
import type { Clock } from '@/lib/clock/clock';
import type { KubeObject } from '@/lib/kube/object';
import type { PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { type Topic, topics } from '@/lib/live/topic';
import type { PersonInCluster } from '@/server/auth/person-of-request';
import type { FeedSource } from '@/server/live/seed';
import type { AuditLog } from './audit-log';
import type { EntryRights } from './entry-rights';

export interface ActivitySource {
  readonly audit: AuditLog;
  readonly rights: EntryRights;
  /** What the person may read of the cluster. */
  readonly hub: FeedSource;
  readonly session: PersonInCluster;
  /** True for the person of the kubeconfig, who has the authority of the process. */
  readonly seesAll: boolean;
  readonly cluster: string;
  readonly clock: Clock;
}

/** Everything that a person may see, the newest first, and whose entries are missing. */
export interface SeenActivity {
  readonly entries: readonly ActivityEntry[];
  readonly notes: readonly string[];
  readonly version: string;
}

/** Rights may be others after this time, without a new entry. */
const RIGHTS_MS = 30_000;

/**
 * What the log has and the cluster records; undefined when the person has seen this state already.
 *
 * @param seen the version of what the person has
 * @throws KubeError while nobody says what the person may see
 */
export async function readActivity(source: ActivitySource, seen?: string): Promise<SeenActivity | undefined> {
  const { audit, rights, session, seesAll, cluster } = source;
  const [runs, approvals] = await Promise.all([
    recorded(source, topics.planRunRows),
    recorded(source, topics.planApprovals),
  ]);
  const rightsAge = Math.floor(source.clock.now() / RIGHTS_MS);
  const version = [audit.version, runs.cursor, approvals.cursor, rightsAge].join('/');
  if (version === seen) return undefined;
  const last = lastByPerson.get(session.identity);
  if (last?.version === version) return last;
  // What happened in another cluster is for those who may read that one.
  const own = [...audit.newestFirst()].filter((entry) => entry.cluster === cluster);
  const visible = seesAll ? { entries: own, isPartial: false } : await rights.visible(own, session);
  const records = [
    ...runs.objects.flatMap((run) => onceOf(run, () => entriesOfRun(run as PlanRun, { cluster }))),
    ...approvals.objects.flatMap((each) => onceOf(each, () => entriesOfApproval(each as PlanApproval, { cluster }))),
  ];
  const notes = [
    ...(visible.isPartial ? ['Entries of very many namespaces are not shown here.'] : []),
    ...(runs.isLoading || approvals.isLoading ? ['The records of the cluster are still being read.'] : []),
    ...(runs.problem === undefined ? [] : [`The records of runs cannot be read: ${runs.problem}.`]),
  ];
  return remember(session.identity, { entries: joinActivity(visible.entries, records), notes, version });
}

/** While a person types a filter, nothing but the filter changes. */
const lastByPerson = new Map<string, SeenActivity>();
const MOST_PERSONS = 20;

function remember(identity: string, seen: SeenActivity): SeenActivity {
  lastByPerson.delete(identity);
  lastByPerson.set(identity, seen);
  for (const oldest of lastByPerson.keys()) {
    if (lastByPerson.size <= MOST_PERSONS) break;
    lastByPerson.delete(oldest);
  }
  return seen;
}

const entriesByRecord = new WeakMap<KubeObject, ActivityEntry[]>();

/** The entries of a record that has not changed: there may be very many. */
function onceOf(record: KubeObject, make: () => ActivityEntry[]): ActivityEntry[] {
  const known = entriesByRecord.get(record) ?? make();
  entriesByRecord.set(record, known);
  return known;
}

/** A page of it. */
export function activityPage(
  { entries, notes, version }: SeenActivity,
  filter: ActivityFilter,
  { limit, audit, nowMs }: { limit: number; audit: AuditLog; nowMs: number },
): Activity {
  const fitting = entries.filter(activityMatcher(filter, nowMs));
  return {
    entries: fitting.slice(0, limit),
    total: fitting.length,
    all: entries.length,
    choices: choicesOf(entries),
    mode: audit.state.mode,
    notes,
    version,
  };
}

interface Recorded {
  readonly objects: readonly KubeObject[];
  /** Names this state of them. */
  readonly cursor: string;
  readonly isLoading: boolean;
  readonly problem: string | undefined;
}

/** The first list of a topic takes a while: the next request gets the rest. */
const WAIT_MS = 1_500;

async function recorded({ hub, clock }: ActivitySource, topic: Topic): Promise<Recorded> {
  const { feed, release } = hub.acquire(topic);
  try {
    if (feed.isLoading) await untilLoaded(feed, clock);
    if (feed.isLoading) return { objects: [], cursor: '', isLoading: true, problem: undefined };
    const frame = feed.since(undefined, clock.now());
    const problem = frame?.type === 'problem' ? frame.problem.message : undefined;
    const { objects, cursor = '' } = frame?.type === 'snapshot' ? frame : { objects: [] };
    return { objects, cursor, isLoading: false, problem };
  } finally {
    release();
  }
}

function untilLoaded(feed: ReturnType<FeedSource['acquire']>['feed'], clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      end();
      timer.cancel();
      resolve();
    };
    const end = feed.onChange(() => {
      if (!feed.isLoading) done();
    });
    const timer = clock.after(WAIT_MS, done);
  });
}
