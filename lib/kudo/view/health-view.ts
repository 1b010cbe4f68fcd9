import { healthChecksOf } from '../health-checks/definitions';
import { healthyConditionOf } from '../health-checks/results';
import type { HealthVerdict } from '../health-checks/types';
import type { Instance, OperatorVersion } from '../types';
import type { StatusKey } from './status-words';

/** One health check of an Instance, as pages and the command line show it. */
export interface HealthCheckView {
  readonly name: string;
  readonly title: string;
  readonly verdict: HealthVerdict;
  readonly status: StatusKey;
  /** The line that the check printed, or why nothing is known. */
  readonly message: string;
  /** What the operator says about a failure, when `message` does not say it. */
  readonly advice: string;
  /** Empty when the message is about no pod, or about several. */
  readonly pod: string;
  readonly since: string | undefined;
  readonly checkedAt: string | undefined;
}

/** What is known of the health checks of an Instance. */
export interface HealthView {
  readonly checks: readonly HealthCheckView[];
  /** A sentence for an Instance whose version declares checks without results; empty otherwise. */
  readonly note: string;
}

const STATUS: { readonly [verdict in HealthVerdict]: StatusKey } = {
  Passing: 'healthy',
  Failing: 'failing',
  Unknown: 'unknown',
  Simulated: 'skipped',
};

/** The health checks in the order of the operator; undefined for an operator that declares none. */
export function healthView(instance: Instance, operatorVersion: OperatorVersion | undefined): HealthView | undefined {
  const definitions = healthChecksOf(operatorVersion);
  const checks = (instance.status?.healthChecks ?? []).map((result): HealthCheckView => {
    const { name = '', status: verdict = 'Unknown', message = '', pod = '' } = result;
    const { displayName = name, message: advice = '' } = definitions.find((each) => each.name === name) ?? {};
    const isSaid = verdict !== 'Failing' || advice.replace(/\.$/, '') === message;
    return {
      ...{ name, title: displayName, verdict, status: STATUS[verdict] ?? 'unknown', message, pod },
      advice: isSaid ? '' : advice,
      since: result.lastTransitionTime,
      checkedAt: result.lastProbeTime,
    };
  });
  if (checks.length > 0) return { checks, note: '' };
  const condition = healthyConditionOf(instance);
  // KUDO's own CRD has no field for the results.
  if (condition !== undefined) return { checks, note: condition.message };
  if (definitions.length === 0) return undefined;
  return { checks, note: 'No health check has run yet. The checks begin when a pod is ready and the controller runs.' };
}

/** The word for a verdict, for tables and screen readers. */
export function verdictWord({ verdict }: Pick<HealthCheckView, 'verdict'>): string {
  return verdict === 'Simulated' ? 'Not checked' : verdict;
}
