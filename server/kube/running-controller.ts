import { type Clock, parseTime } from '@/lib/clock/clock';
import { stringAt } from '@/lib/json/json';
import { LEASE_NAME, SYSTEM_NAMESPACE } from '@/lib/kudo/installation/names';
import type { Api } from './api';

/** The leader renews its lease every five seconds; a lease that is older than this does not prove that a controller runs. */
const FRESH_MS = 30_000;

/** The lease of a controller that runs. */
export interface ControllerLease {
  readonly namespace: string;
  readonly holder: string;
  /** Whole seconds; 0 when the clocks of the two machines differ. */
  readonly renewedSecondsAgo: number;
}

/**
 * The controllers' lease when its holder renewed it in the last 30 s, else undefined. Looks in namespace `default`, where
 * controllers outside of the cluster keep it, in `kudo-system`, and in the namespace of the installation.
 */
export async function runningController(
  { api, clock }: { readonly api: Api; readonly clock: Clock },
  installationNamespace: string,
): Promise<ControllerLease | undefined> {
  for (const namespace of new Set(['default', SYSTEM_NAMESPACE, installationNamespace])) {
    const target = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
    const lease = await api.get({ ...target, namespace, name: LEASE_NAME });
    const holder = stringAt(lease, 'spec', 'holderIdentity') ?? '';
    const renewedMs = parseTime(stringAt(lease, 'spec', 'renewTime'));
    if (holder === '' || renewedMs === undefined) continue;
    const ageMs = clock.now() - renewedMs;
    if (Math.abs(ageMs) < FRESH_MS) {
      return { namespace, holder, renewedSecondsAgo: Math.max(0, Math.round(ageMs / 1000)) };
    }
  }
  return undefined;
}
