import type { Unready } from './health-server';

/** What the readiness of a controller depends on, read at each probe. */
export interface ControllerParts {
  /** Whether the first lists were read. */
  readonly isSynced: boolean;
  /** True while the webhook serves a certificate that the API server trusts, and where there is no webhook. */
  readonly isWebhookReady: boolean;
  /** What the webhook says about itself. */
  readonly webhookWords: string;
  /** Why the API server refuses the lease; undefined when it does not. */
  readonly leaseProblem: string | undefined;
}

/** A follower is ready too: it answers the webhook and can take over at any time. */
export function controllerUnready(parts: ControllerParts): Unready {
  const reasons: string[] = [];
  if (!parts.isSynced) reasons.push('the first lists of Instances and OperatorVersions were not read yet');
  if (!parts.isWebhookReady) reasons.push(`the webhook ${parts.webhookWords}`);
  if (parts.leaseProblem !== undefined) reasons.push(parts.leaseProblem);
  return reasons;
}
