import type { Clock } from '@/lib/clock/clock';
import { BravoError, TransientError } from '@/lib/errors/errors';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { firstLine, mergeOutcomes, SIMULATED_PREFIX } from '@/lib/kudo/health-checks/outcome';
import type { HealthCheck, HealthOutcome } from '@/lib/kudo/health-checks/types';
import type { Api } from '@/server/kube/api';
import { withDeadline } from '@/server/kube/deadline';
import { execCheck } from './exec-check';
import { httpCheck } from './http-check';
import type { PodCheck } from './pod-check';
import type { RequestSlots } from './request-slots';
import { tcpCheck } from './tcp-check';

export interface CheckRunner {
  readonly api: Api;
  readonly clock: Clock;
  readonly slots: RequestSlots;
}

/** Runs a rendered check in these pods. What cannot be found out is the verdict `Unknown`, not an error. */
export async function runCheck(
  runner: CheckRunner,
  check: HealthCheck,
  pods: readonly KubeObject[],
  signal: AbortSignal,
): Promise<HealthOutcome> {
  if (pods.length === 0) return { verdict: 'Unknown', message: noPods(check), pod: '' };
  const inPod = (pod: KubeObject) => runner.slots.run(() => checkPod(runner, check, pod, signal));
  return mergeOutcomes(check, await Promise.all(pods.map(inPod)));
}

function noPods({ pods = {} }: HealthCheck): string {
  const labels = Object.entries(pods).map(([key, value]) => `${key}=${value}`);
  return firstLine(labels.length === 0 ? 'no pod is ready' : `no pod with ${labels.join(',')} is ready`);
}

async function checkPod(
  { api, clock }: CheckRunner,
  check: HealthCheck,
  object: KubeObject,
  signal: AbortSignal,
): Promise<HealthOutcome> {
  const pod = { group: '', version: 'v1', resource: 'pods', namespace: namespaceOf(object), name: nameOf(object) };
  try {
    return await withDeadline(clock, check.timeoutMs, signal, async (deadline) => {
      try {
        return await askPod({ api, check, pod, signal: deadline });
      } catch (error) {
        throw deadline.aborted ? deadline.reason : error;
      }
    });
  } catch (error) {
    // Only the end of the leader term aborts it.
    if (signal.aborted || !(error instanceof BravoError)) throw error;
    const message = whyUnknown(check, error);
    if (error.message.includes(SIMULATED_PREFIX)) return { verdict: 'Simulated', message, pod: '' };
    return { verdict: 'Unknown', message, pod: pod.name };
  }
}

function askPod(podCheck: PodCheck): Promise<HealthOutcome> {
  switch (podCheck.check.kind) {
    case 'exec':
      return execCheck(podCheck);
    case 'http':
      return httpCheck(podCheck);
    case 'tcp':
      return tcpCheck(podCheck);
  }
}

function whyUnknown({ timeoutMs }: HealthCheck, error: BravoError): string {
  const isLate = error instanceof TransientError && error.reason === 'Timeout';
  return isLate ? `no answer within ${timeoutMs / 1000} s` : firstLine(error.message).replace(/\.$/, '');
}
