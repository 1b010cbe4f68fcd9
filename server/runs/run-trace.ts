import { formatTime, parseTime } from '@/lib/clock/clock';
import { pick } from '@/lib/json/pick';
import { nameOf, namespaceOf, type ObjectMeta } from '@/lib/kube/object';
import {
  PLAN_RUN_API_VERSION,
  type PlanRun,
  type PlanRunSpec,
  type PlanRunStatus,
  type RunStatus,
} from '@/lib/kudo/runs/plan-run';

/**
 * What is remembered of a run that is over and of which nobody has to be told: what names it, and what decides how long its record is
 * kept. There may be 50,000: so it is one object instead of four, and metadata, spec and status are made for the one who asks. A copy by
 * spread does not have them, and no write may send it: it is not all that the API server has.
 */
export class RunTrace implements PlanRun {
  [key: string]: unknown;
  private readonly runName: string;
  private readonly uid: string;
  private readonly resourceVersion: string;
  private readonly executionUid: string;
  private readonly subject: Subject;
  private readonly result: RunStatus;
  /** Seconds since 1970: a text takes forty bytes. */
  private readonly finishedAt: number | undefined;
  private readonly recordBytes: number | undefined;
  private readonly more: Rarities | undefined;

  /** @param run one that is over */
  constructor(run: PlanRun) {
    const { metadata, spec = {}, status = {} } = run;
    const finishedMs = parseTime(status.finishedAt ?? status.startedAt ?? metadata.creationTimestamp);
    const more = pick(status, RARE);
    this.runName = nameOf(run);
    this.uid = metadata.uid ?? '';
    this.resourceVersion = metadata.resourceVersion ?? '';
    this.executionUid = spec.uid ?? '';
    this.subject = subjectOf(run);
    this.result = RESULTS.find((result) => result === status.status) ?? 'COMPLETE';
    this.finishedAt = finishedMs === undefined ? undefined : Math.floor(finishedMs / 1_000);
    this.recordBytes = status.recordBytes;
    this.more = Object.keys(more).length === 0 ? undefined : more;
  }

  get apiVersion(): string {
    return PLAN_RUN_API_VERSION;
  }

  get kind(): string {
    return 'PlanRun';
  }

  get metadata(): ObjectMeta {
    const { namespace } = this.subject;
    return { name: this.runName, namespace, uid: this.uid, resourceVersion: this.resourceVersion };
  }

  get spec(): PlanRunSpec {
    const { instanceName, instanceUid, plan } = this.subject;
    return { instanceName, instanceUid, plan, uid: this.executionUid };
  }

  /** `finishedAt` in whole seconds. */
  get status(): PlanRunStatus {
    return {
      status: this.result,
      ...(this.finishedAt === undefined ? {} : { finishedAt: formatTime(this.finishedAt * 1_000) }),
      ...(this.recordBytes === undefined ? {} : { recordBytes: this.recordBytes }),
      ...this.more,
    };
  }
}

const RESULTS = ['COMPLETE', 'FATAL_ERROR', 'Cancelled'] as const satisfies readonly RunStatus[];

/** What few runs have. */
const RARE = ['outputs', 'instanceGoneAt', 'notices'] as const;
type Rarities = Pick<PlanRunStatus, (typeof RARE)[number]>;

/** What all runs of a plan of an Instance have in common. */
interface Subject {
  readonly namespace: string;
  readonly instanceName: string;
  readonly instanceUid: string;
  readonly plan: string;
}

const subjects = new Map<string, Subject>();
const MOST_SUBJECTS = 20_000;

function subjectOf(run: PlanRun): Subject {
  const { instanceName = '', instanceUid = '', plan = '' } = run.spec ?? {};
  const namespace = namespaceOf(run);
  const key = JSON.stringify([namespace, instanceName, instanceUid, plan]);
  const known = subjects.get(key);
  if (known !== undefined) return known;
  if (subjects.size >= MOST_SUBJECTS) subjects.clear();
  const subject = { namespace, instanceName, instanceUid, plan };
  subjects.set(key, subject);
  return subject;
}
