import type { KubeObject } from '@/lib/kube/object';

/** Starts a plan at the times of a cron expression (docs/decisions/072). */
export const PLAN_SCHEDULES = { group: 'bravo.kudo.dev', version: 'v1alpha1', resource: 'planschedules' } as const;
export const PLAN_SCHEDULE_API_VERSION = 'bravo.kudo.dev/v1alpha1';

export const CONCURRENCY_POLICIES = ['Forbid', 'Wait'] as const;
export type ConcurrencyPolicy = (typeof CONCURRENCY_POLICIES)[number];

export const MISSED_RUN_POLICIES = ['RunLast', 'Skip'] as const;
export type MissedRunPolicy = (typeof MISSED_RUN_POLICIES)[number];

/** What became of a slot. */
export const SLOT_OUTCOMES = ['Started', 'Skipped', 'Missed', 'Refused', 'Blackout'] as const;
export type SlotOutcome = (typeof SLOT_OUTCOMES)[number];

export const DEFAULT_TIME_ZONE = 'UTC';
export const DEFAULT_DEADLINE_S = 3_600;

export interface PlanSchedule extends KubeObject {
  spec?: PlanScheduleSpec;
  status?: PlanScheduleStatus;
}

export interface PlanScheduleSpec {
  /** Of the Instance in the same namespace. */
  instanceName?: string;
  plan?: string;
  /** Five cron fields or a nickname. */
  schedule?: string;
  /** IANA name; UTC when absent. */
  timeZone?: string;
  /** Values that are written to the Instance with the start. */
  parameters?: { [name: string]: string };
  /** `Forbid` when absent. */
  concurrencyPolicy?: ConcurrencyPolicy;
  /** `RunLast` when absent. */
  missedRunPolicy?: MissedRunPolicy;
  /** 3600 when absent. */
  startingDeadlineSeconds?: number;
  suspend?: boolean;
  blackouts?: Blackout[];
  /** `PLAN/INSTANCE`, for a destructive plan. */
  confirm?: string;
}

/** A window in which nothing starts. */
export interface Blackout {
  /** Cron expression: when it begins. */
  start?: string;
  durationMinutes?: number;
  /** The schedule's when absent. */
  timeZone?: string;
}

/** All times are RFC 3339 in UTC. */
export interface PlanScheduleStatus {
  /** Expression, zone and whether it is suspended, as the controller saw them last. */
  observedSchedule?: string;
  /** Slots count from here on. */
  slotsFrom?: string;
  /** The last slot that is done, whatever became of it. */
  lastSlot?: string;
  /** The execution that was started last. */
  lastUid?: string;
  /** Its PlanRun. */
  lastRun?: string;
  /** The slot that waits until the Instance is idle. */
  waitingSlot?: string;
  /** The next five slots; empty while it is suspended. */
  next?: string[];
  /** How many slots had no run, blackouts aside. */
  missed?: number;
  /** Why the last slot had no run, or why there are no slots; absent after a start. */
  problem?: string;
  /** The last slots, oldest first. */
  history?: SlotEntry[];
}

export interface SlotEntry {
  slot?: string;
  outcome?: SlotOutcome;
  /** Of the execution that was started. */
  uid?: string;
  message?: string;
}
