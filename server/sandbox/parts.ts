import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { SandboxApi } from './api';
import { API_AUDIENCE, type ServiceAccountTokens } from './auth/service-account-tokens';
import type { SandboxOptions } from './sandbox-options';
import { openVolumeFolder } from './store/volume-store';
import type { PodConsole } from './workloads/core/pod-console';
import { startWorkloads, type WorkloadOptions } from './workloads/workloads';

/** The controllers and the simulated kubelet that run beside the API. */
export interface Parts {
  readonly podConsole: PodConsole | undefined;
  stop(): void;
}

/** The credentials of the parts: the sandbox's own certificate (PEM), its ServiceAccount tokens. */
export interface Credentials {
  readonly caCertificate: string;
  readonly tokens: ServiceAccountTokens;
}

/** The tokens in Secrets do not expire in Kubernetes; ours last ten years. */
const SECRET_TOKEN_SECONDS = 10 * 365 * 86_400;

/** Starts what the mode asks for. */
export function startParts(api: SandboxApi, options: SandboxOptions, credentials: Credentials): Parts {
  const { caCertificate, tokens } = credentials;
  const { mode, clock, random, podDelayMs, reportBug } = options;
  if (mode === 'no-controllers') return { podConsole: undefined, stop: () => {} };
  return startWorkloads({
    api,
    clock,
    random,
    podDelayMs,
    mode,
    caCertificate,
    signToken: signer(tokens),
    volumeStore: options.dataDir === undefined ? undefined : openVolumeFolder(options.dataDir),
    onBug: reportBug,
  });
}

function signer(tokens: ServiceAccountTokens): NonNullable<WorkloadOptions['signToken']> {
  return (account, secret) =>
    tokens.issue({
      namespace: namespaceOf(account),
      account: { name: nameOf(account), uid: account.metadata.uid ?? '' },
      audiences: [API_AUDIENCE],
      lifeSeconds: SECRET_TOKEN_SECONDS,
      bound: { kind: 'Secret', name: nameOf(secret), uid: secret.metadata.uid ?? '' },
    }).token;
}
