import type { SandboxApi } from '../api';
import type { SandboxOptions } from '../sandbox-options';
import type { PodConsole } from '../workloads/pod-console';
import { startWorkloads } from '../workloads/workloads';

/** The controllers and the simulated kubelet that run beside the API. */
export interface Parts {
  readonly podConsole: PodConsole | undefined;
  stop(): void;
}

/** Starts what the mode asks for. `caCertificate` is the sandbox's authority, PEM. */
export function startParts(api: SandboxApi, options: SandboxOptions, caCertificate: string): Parts {
  const { mode, clock, random, podDelayMs, reportBug } = options;
  if (mode === 'no-controllers') return { podConsole: undefined, stop: () => {} };
  return startWorkloads({ api, clock, random, podDelayMs, mode, caCertificate, onBug: reportBug });
}
