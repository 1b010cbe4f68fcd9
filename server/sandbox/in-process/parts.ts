import type { SandboxApi } from '../api';
import type { SandboxOptions } from '../sandbox-options';
import type { PodConsole } from '../workloads/pod-console';

/** The controllers and the simulated kubelet that run beside the API. */
export interface Parts {
  readonly podConsole: PodConsole | undefined;
  stop(): void;
}

export async function startParts(_api: SandboxApi, _options: SandboxOptions): Promise<Parts> {
  return { podConsole: undefined, stop: () => {} };
}
