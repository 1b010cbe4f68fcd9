import type { ControllerWord } from '@/lib/live/frames';
import type { CertificateStatus } from './certificate';

/** What the page *Status* shows: how this console, its controller and the API server are. Ages are milliseconds at `atMs`. */
export interface ProductStatus {
  /** Wall milliseconds of the server when it was read. */
  readonly atMs: number;
  readonly console: {
    readonly version: string;
    readonly node: string;
    readonly uptimeMs: number;
    /** Resident memory of the process. */
    readonly memoryBytes: number;
    readonly topics: readonly WatchedTopic[];
    readonly audit: AuditLogStatus;
    /** Undefined for a console that serves HTTP: something in front of it ends TLS, or nothing does. */
    readonly certificate: CertificateStatus | undefined;
  };
  readonly cluster: {
    readonly name: string;
    readonly context: string;
    readonly server: string;
    readonly isSandbox: boolean;
    /** `v1.36.0`; undefined when the API server does not say it. */
    readonly version: string | undefined;
    /** Why the API server cannot be used, in one sentence. */
    readonly problem: string | undefined;
  };
  readonly controller: {
    readonly state: ControllerWord;
    /** What the admission webhook of this process says of itself. */
    readonly webhook: string | undefined;
    /** What it may not do with its lease. */
    readonly leaseProblem: string | undefined;
    /** Undefined while no controller runs here, or when it does not answer. */
    readonly figures: ControllerFigures | undefined;
  };
  /** Empty when no controller has ever held one; undefined when they cannot be read, see `leaseProblem`. */
  readonly leases: readonly HeldLease[] | undefined;
  readonly leaseProblem: string | undefined;
  /** The last warnings and errors of console and controller, newest first. */
  readonly problems: readonly LoggedProblem[];
}

/** The audit log of this console. */
export interface AuditLogStatus {
  readonly mode: 'file' | 'stdout' | 'off';
  /** Absolute; undefined unless there are files. */
  readonly folder: string | undefined;
  /** Entries that could not be written since the start. */
  readonly lost: number;
  /** Why entries cannot be written now, in one sentence. */
  readonly problem: string | undefined;
}

/** A topic that the console watches for browsers. */
export interface WatchedTopic {
  readonly topic: string;
  readonly objects: number;
  readonly readers: number;
  readonly staleMs: number;
}

export interface ControllerFigures {
  /** Instances that wait for a reconcile. */
  readonly queued: number;
  readonly longestRunningMs: number;
  readonly caches: readonly { readonly resource: string; readonly objects: number; readonly staleMs: number }[];
}

export interface HeldLease {
  readonly name: string;
  /** Empty when nobody holds it. */
  readonly holder: string;
  /** Undefined when it was never renewed. */
  readonly renewedMsAgo: number | undefined;
  readonly durationMs: number;
  readonly transitions: number;
}

/** A line of the log without what may be secret. */
export interface LoggedProblem {
  readonly atMs: number;
  readonly part: string;
  readonly level: 'warn' | 'error';
  readonly event: string;
  /** What it says besides, in one line; may be empty. */
  readonly text: string;
}

/** Where the controller is that leads: in this console's process, in another one, nowhere, or that is not known. */
export type ControllerPlace = 'here' | 'elsewhere' | 'nowhere' | 'unknown';

/** Where the leader is. A lease that was not renewed for its whole duration has no holder. */
export function controllerPlace({ controller, leases }: Pick<ProductStatus, 'controller' | 'leases'>): ControllerPlace {
  if (controller.state === 'running') return 'here';
  if (leases === undefined) return 'unknown';
  return leases.some((lease) => isLeading(lease) && isHeld(lease)) ? 'elsewhere' : 'nowhere';
}

/** Controllers that share the work have a lease each that says only that they live. */
function isLeading({ name }: HeldLease): boolean {
  return !name.includes('-member-');
}

/** True while somebody holds the lease. */
export function isHeld({ holder, renewedMsAgo, durationMs }: HeldLease): boolean {
  return holder !== '' && renewedMsAgo !== undefined && renewedMsAgo <= durationMs;
}
