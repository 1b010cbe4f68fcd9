import { TerminalError } from '@/lib/errors/errors';
import { outcomeOfExit } from '@/lib/kudo/health-checks/outcome';
import type { HealthOutcome } from '@/lib/kudo/health-checks/types';
import { limits } from '@/lib/limits/limits';
import { CommandFailure } from '@/server/kube/exec';
import type { PodCheck } from './pod-check';

/** Runs the command of a check in a container. */
export async function execCheck({ api, check, pod, signal }: PodCheck): Promise<HealthOutcome> {
  const { command = [], container } = check;
  let stderr = '';
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
  const onErrors = (errors: string) => {
    stderr = errors;
  };
  try {
    const options = { command, container, maxBytes: limits.healthOutputBytes, signal, onErrors };
    const stdout = text(await api.exec(pod, options));
    return outcomeOfExit(check, pod.name, { exitCode: 0, stdout, stderr });
  } catch (error) {
    if (!(error instanceof TerminalError) || !(error.cause instanceof CommandFailure)) throw error;
    const { exitCode, stdout } = error.cause;
    return outcomeOfExit(check, pod.name, { exitCode, stdout: text(stdout), stderr });
  }
}
