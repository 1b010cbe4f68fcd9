import type { Clock } from '@/lib/clock/clock';
import { OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds/crds';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { OperatorVersion } from '@/lib/kudo/types';
import type { OperatorSubscription } from '@/lib/kudo/upgrades/operator-subscription';
import type { OperatorUpgrade } from '@/lib/kudo/upgrades/operator-upgrade';
import type { Random } from '@/lib/random/random';
import type { PipeSettings } from '@/server/config/pipes';
import type { HealthChecks } from '@/server/health-checks/health-checks';
import type { Api } from '@/server/kube/api';
import type { KindIndex } from '@/server/kube/kinds';
import type { Log } from '@/server/log/log';
import type { ControllerMetrics } from '@/server/metrics/controller-metrics';
import type { ConfiguredNotices } from '@/server/notices/configured-notices';
import type { PlanApprovalStore } from '@/server/runs/plan-approval-store';
import type { PlanRunStore } from '@/server/runs/plan-run-store';
import type { PlanScheduleStore } from '@/server/runs/plan-schedule-store';
import type { StoredRunMemory } from '@/server/runs/run-memory';
import type { StatusStore } from '@/server/runs/status-store';
import type { SelfHeal } from '@/server/self-heal/self-heal';
import type { TextRenderer } from '@/server/tasks/render-texts';
import type { WrittenObjects } from '@/server/tasks/written-objects';
import type { OpenRepository } from '@/server/upgrades/open-repository';
import type { Events } from './events';
import type { InstanceStore } from './instance-store';
import type { SigningKey } from './signing-key';
import type { Watches } from './watches';

/** What a reconcile needs: clients, caches and the notes of the leader term. */
export interface ReconcilerDeps {
  /** The shard of this term; 0 without shards. */
  readonly shard: number;
  /** True for an Instance (`namespace/name`) of this shard: nothing is done for others. */
  owns(key: string): boolean;
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly kinds: KindIndex;
  readonly watches: Watches;
  readonly store: InstanceStore;
  /** The records of runs. */
  readonly planRuns: PlanRunStore;
  readonly planSchedules: PlanScheduleStore;
  /** Upgrades in waves. */
  readonly upgrades: StatusStore<OperatorUpgrade>;
  readonly subscriptions: StatusStore<OperatorSubscription>;
  /** The repository of a subscription. */
  readonly openRepository: OpenRepository;
  /** Requests that wait for a second person; who is told of them. */
  readonly planApprovals: PlanApprovalStore;
  readonly events: Events;
  /** Told how plans end; absent where nobody measures. */
  readonly metrics?: Pick<ControllerMetrics, 'planEnded'> | undefined;
  /** Who is told of runs and requests. */
  readonly notices: ConfiguredNotices;
  readonly pipePods: PipeSettings;
  readonly renderTexts: TextRenderer;
  /** With the key that all controllers of the cluster share. */
  readonly fingerprints: Fingerprinter;
  /** Signs runs that are over. */
  readonly signing: Pick<SigningKey, 'sign'>;
  /** Restores missing and drifted objects while no plan runs. */
  readonly selfHeal: SelfHeal;
  /** Runs the health checks that operators declare. */
  readonly health: HealthChecks;
  /** Memories of runs under way, by uid of the Instance. */
  readonly runs: Map<string, StoredRunMemory>;
  /** Uids of Instances of which this process knows that no run has left a memory behind. */
  readonly forgotten: Set<string>;
  /** What plans of this term applied. */
  readonly written: WrittenObjects;
  /** By uid of an Instance: its latest execution when its Secrets were checked for values that can be computed. */
  readonly checkedForGuessable: Map<string, string>;
  /** Executions of concurrency groups that this term let begin: the namespace by uid. */
  readonly admitted: Map<string, string>;
  /** Uids of Instances, and of executions, whose end this process has announced. */
  readonly announced: Set<string>;
}

/** Namespace and name of an OperatorVersion; an empty name is none. */
type VersionPlace = { readonly namespace: string; readonly name: string };

/** An OperatorVersion from the watched copy, else live: it may have been created a moment ago. */
export async function findOperatorVersion(
  deps: ReconcilerDeps,
  place: VersionPlace,
): Promise<OperatorVersion | undefined> {
  const cached = deps.watches.operatorVersions.get(place.namespace, place.name);
  return cached === undefined ? readOperatorVersion(deps, place) : (cached as OperatorVersion);
}

/** An OperatorVersion as it is stored now. */
export async function readOperatorVersion(
  { api }: ReconcilerDeps,
  { namespace, name }: VersionPlace,
): Promise<OperatorVersion | undefined> {
  if (name === '') return undefined;
  return (await api.get({ ...OPERATOR_VERSIONS, namespace, name })) as OperatorVersion | undefined;
}

export async function hasOperator(deps: ReconcilerDeps, namespace: string, name: string): Promise<boolean> {
  return (await deps.api.get({ ...OPERATORS, namespace, name })) !== undefined;
}

/** True when the namespace is terminating or does not exist: nothing can be created in it. */
export async function isNamespaceDeleting(deps: ReconcilerDeps, namespace: string): Promise<boolean> {
  const live = await deps.api.get({ group: '', version: 'v1', resource: 'namespaces', name: namespace });
  return live === undefined || (live.metadata.deletionTimestamp ?? '') !== '';
}
