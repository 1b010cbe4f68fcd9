import type { Clock } from '@/lib/clock/clock';
import type { Random } from '@/lib/random/random';
import type { OidcFlags } from './auth/oidc-authenticator';
import type { PostReview } from './registry/post-review';
import type { StoreLog } from './store/log';
import type { Secrets } from './tls/secrets';

export interface SandboxOptions {
  /** 0 takes any free port; `none` does not listen: requests come by `inject` alone. */
  readonly port: number | 'none';
  /** Absent: everything is in memory and ends with the process. */
  readonly dataDir?: string | undefined;
  /** Where writes go instead of a data folder: a run in one process can begin with what another one left. */
  readonly log?: StoreLog | undefined;
  /** Given instead of made: making keys takes longer than a whole simulated run. */
  readonly secrets?: Secrets | undefined;
  /** kube-apiserver's CSV of tokens. */
  readonly tokenAuthFile?: string | undefined;
  /** ID tokens of a provider are accepted as bearer tokens. */
  readonly oidc?: OidcFlags | undefined;
  /** Users `admin`, `dev` and `viewer` with tokens in `users/` of the data folder (auth/sample-users). */
  readonly sampleUsers?: boolean | undefined;
  /** Where the kubeconfig is written when the sandbox serves. */
  readonly kubeconfigPath?: string | undefined;
  /** `no-pods`: controllers, but nothing schedules or runs pods; `no-controllers`: nothing moves by itself. */
  readonly mode: 'full' | 'no-controllers' | 'no-pods';
  readonly podDelayMs: number;
  readonly clock: Clock;
  readonly random: Random;
  /** Asks webhooks instead of the network, for a run in one process. */
  readonly postReview?: PostReview | undefined;
  /** Called for unexpected errors. */
  readonly reportBug?: (error: unknown) => void;
}
