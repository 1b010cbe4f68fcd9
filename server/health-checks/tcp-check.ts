import { TerminalError } from '@/lib/errors/errors';
import { portOf } from '@/lib/kudo/health-checks/definitions';
import { failureText } from '@/lib/kudo/health-checks/outcome';
import type { HealthOutcome } from '@/lib/kudo/health-checks/types';
import type { PodCheck } from './pod-check';

/** A connection to a port of the pod, through the API server. */
export async function tcpCheck({ api, check, pod, signal }: PodCheck): Promise<HealthOutcome> {
  const port = portOf(check.port ?? '');
  if (port === undefined) throw new TerminalError(`"${check.port}" is not a port.`, 'InvalidHealthCheck');
  try {
    await api.probePort(pod, { port, signal });
    return { verdict: 'Passing', message: `port ${port} accepts connections`, pod: pod.name };
  } catch (error) {
    if (!(error instanceof TerminalError) || error.reason !== 'ConnectionRefused') throw error;
    const message = check.message === undefined ? `port ${port} refuses connections` : failureText(check);
    return { verdict: 'Failing', message, pod: pod.name };
  }
}
