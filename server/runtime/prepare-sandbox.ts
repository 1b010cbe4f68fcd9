import type { Clock } from '@/lib/clock/clock';
import type { Random } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import { installCrds } from '@/server/kube/install-crds';

export interface PrepareOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
}

/** Makes a new sandbox a place to look around. */
export async function prepareSandbox({ api, clock }: PrepareOptions): Promise<void> {
  await installCrds(api, clock);
}
