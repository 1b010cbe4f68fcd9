import type { Clock } from '@/lib/clock/clock';
import type { ControllerOffer } from '@/lib/kudo/installation/controller-offer';
import type { ControllerWord } from '@/lib/live/frames';
import type { Random } from '@/lib/random/random';
import type { AuditLog } from '@/server/audit/audit-log';
import type { EntryRights } from '@/server/audit/entry-rights';
import type { SignIn } from '@/server/auth/sign-in';
import type { ViewAs } from '@/server/auth/view-as';
import type { Clusters } from '@/server/clusters/clusters';
import type { Config } from '@/server/config/config';
import type { NoticeSettings } from '@/server/config/notices';
import type { Log } from '@/server/log/log';
import type { StreamMetrics } from '@/server/metrics/stream-metrics';
import type { PackageCatalogue } from '@/server/packages/catalogue';
import type { ProcessStatus } from '@/server/status/server-status';

/** The cluster that the console shows, in the words of its kubeconfig. */
export interface ClusterSummary {
  readonly name: string;
  readonly context: string;
  readonly server: string;
  readonly user: string;
  /** The namespace that the context names, if it does. */
  readonly ownNamespace: string | undefined;
  /** True for the embedded sandbox of this very process. */
  readonly isSandbox: boolean;
}

/** Where the controller of this process is. */
export type ControllerState = ControllerWord;

/** What routes and pages use of the process. One object, made by server/main and shared over `globalThis`. */
export interface Runtime {
  readonly config: Config;
  readonly version: string;
  /** The home cluster and the others, each with its own API, hub and rights. */
  readonly clusters: Clusters;
  /** Undefined with BRAVO_AUTH=kubeconfig: then there is one person. */
  readonly signIn: SignIn | undefined;
  /** As whom persons see the console. */
  readonly viewAs: ViewAs;
  /** Bundled and uploaded packages. */
  readonly catalogue: PackageCatalogue;
  /** Where notices may go, and which repositories of subscriptions may be read. */
  readonly notices: NoticeSettings;
  readonly log: Log;
  /** What people did through this console. */
  readonly audit: AuditLog;
  /** Which of its entries each person may see. */
  readonly entryRights: EntryRights;
  readonly clock: Clock;
  readonly random: Random;
  /** Counts and times event streams. */
  readonly streamMetrics: StreamMetrics;
  /** What the process says of itself, for the page *Status*. */
  processStatus(): Promise<ProcessStatus>;
  controllerState(): ControllerState;
  /** What the webhook of this process's controller says of itself; undefined without one. */
  webhookWords(): string | undefined;
  /** What this process's controller may not do with its lease, in one sentence; undefined when nothing is refused. */
  leaseProblem(): string | undefined;
  /** Why this process's controller waits for controllers with another number of shards; undefined when it does not. */
  shardsProblem(): string | undefined;
  /** True after SIGTERM: the console still answers, until its load balancer has heard of it. */
  isStopping(): boolean;
  /** What the person is asked before a controller is started beside the console. @throws as Api.get */
  controllerOffer(): Promise<ControllerOffer>;
  /** Starts the controller, because a person asked for it; twice is once. @throws Refusal 409 with BRAVO_CONTROLLER=off */
  startController(): Promise<void>;
}

/**
 * Next compiles its routes apart from the server that starts it, so that module state is not shared between them; this
 * symbol on `globalThis` is (https://github.com/vercel/next.js/issues/69544).
 */
const RUNTIME_KEY = Symbol.for('bravo.runtime');

type RuntimeHolder = { [RUNTIME_KEY]?: Runtime };

/** The runtime of this process. Throws when nothing has started one: a route was called outside of the server. */
export function runtime(): Runtime {
  const found = (globalThis as RuntimeHolder)[RUNTIME_KEY];
  if (found === undefined) throw new Error('The console was started without its server: use npm start or npm run dev.');
  return found;
}

/** Puts the runtime in its place. A second one in the same process is a bug. */
export function setRuntime(value: Runtime): void {
  const holder = globalThis as RuntimeHolder;
  if (holder[RUNTIME_KEY] !== undefined) throw new Error('A second runtime was started in one process.');
  holder[RUNTIME_KEY] = value;
}
