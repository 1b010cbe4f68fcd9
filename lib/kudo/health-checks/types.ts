/**
 * A health check that an operator declares (docs/decisions/062-health-checks.md). `pods`, `container`, `command`, `port`, `path`,
 * `scheme`, `message` and `enabled` may be Go templates.
 */
export interface HealthCheck {
  readonly name: string;
  readonly displayName?: string;
  readonly kind: HealthCheckKind;
  /** Labels of the pods that are checked, among the ready pods of the Instance; all of them when absent. */
  readonly pods?: { readonly [label: string]: string };
  readonly mode: HealthCheckMode;
  readonly container?: string;
  readonly command?: readonly string[];
  readonly port?: string;
  readonly path?: string;
  readonly scheme?: string;
  /** What pages show when the check fails and says nothing itself. */
  readonly message?: string;
  /** `true` or `false` once it is rendered; a check that is not enabled does not run. */
  readonly enabled?: string;
  readonly periodMs: number;
  readonly timeoutMs: number;
}

/** What a check does in or to a pod. */
export const HEALTH_CHECK_KINDS = ['exec', 'http', 'tcp'] as const;
export type HealthCheckKind = (typeof HEALTH_CHECK_KINDS)[number];

/** Which of the pods have to pass; `first` checks only the first one by name. */
export const HEALTH_CHECK_MODES = ['all', 'any', 'first'] as const;
export type HealthCheckMode = (typeof HEALTH_CHECK_MODES)[number];

export const HEALTH_CHECK_SCHEMES = ['http', 'https'] as const;

/** `Simulated`: the sandbox only simulates the program of the check, so nothing is known. */
export const HEALTH_VERDICTS = ['Passing', 'Failing', 'Unknown', 'Simulated'] as const;
export type HealthVerdict = (typeof HEALTH_VERDICTS)[number];

/** The result of one run of a check, in one pod or in all of them together. */
export interface HealthOutcome {
  readonly verdict: HealthVerdict;
  /** One line: `replication lag 3 s`. */
  readonly message: string;
  /** The pod that the message is about; empty when it is about several, or about none. */
  readonly pod: string;
}

/**
 * The result of a check as `Instance.status.healthChecks` has it, which KUDO does not have. The names of both times are those of a
 * PodCondition.
 */
export interface HealthCheckStatus {
  name?: string;
  status?: HealthVerdict;
  message?: string;
  pod?: string;
  /** When the verdict changed last, RFC 3339. */
  lastTransitionTime?: string;
  /** When the check ran last, as far as it was written: without another change it is written every ten minutes. */
  lastProbeTime?: string;
}
