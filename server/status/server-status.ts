import type { Clock } from '@/lib/clock/clock';
import { parseTime } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import { numberAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { HeldLease, ProductStatus } from '@/lib/status/product-status';
import type { Api, ObjectList } from '@/server/kube/api';
import { withDeadline } from '@/server/kube/deadline';
import { codeOf } from '@/server/kube/errors';
import { serverVersion } from '@/server/kube/server-version';

/** What the process itself says; the rest is read with the person's own authority. */
export type ProcessStatus = Pick<ProductStatus, 'console' | 'controller' | 'problems'> & {
  readonly cluster: Omit<ProductStatus['cluster'], 'version' | 'problem'>;
  /** Where controllers keep their leases. */
  leaseNamespace(signal: AbortSignal): Promise<string>;
};

const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' } as const;
/** Controllers hold the lease of this name, or, when they share the work, leases that begin with it. */
const LEASE_PREFIX = 'bravo-controller';
const DEFAULT_DURATION_S = 15;
/** The page is there to say that the API server does not answer: it must not wait for it. */
const PATIENCE_MS = 3_000;

/** The whole status: what the process says, and version and leases as this API shows them. Never rejects. */
export async function readProductStatus(
  { leaseNamespace, ...own }: ProcessStatus,
  api: Api,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<ProductStatus> {
  const list = async (limited: AbortSignal) =>
    api.list({ ...LEASES, namespace: await leaseNamespace(limited) }, { signal: limited });
  const within = <T>(read: (signal: AbortSignal) => Promise<T>) => withDeadline(clock, PATIENCE_MS, signal, read);
  const [version, held] = await Promise.all([
    readVersion(() => within((limited) => serverVersion(api, limited))),
    readLeases(() => within(list), clock),
  ]);
  return { ...own, ...held, atMs: clock.now(), cluster: { ...own.cluster, ...version } };
}

async function readVersion(
  read: () => Promise<string | undefined>,
): Promise<Pick<ProductStatus['cluster'], 'version' | 'problem'>> {
  try {
    return { version: await read(), problem: undefined };
  } catch (error) {
    return { version: undefined, problem: messageOf(error) };
  }
}

async function readLeases(
  read: () => Promise<ObjectList>,
  clock: Clock,
): Promise<Pick<ProductStatus, 'leases' | 'leaseProblem'>> {
  try {
    const { items } = await read();
    const ours = items.filter((lease) => nameOf(lease).startsWith(LEASE_PREFIX));
    return { leases: ours.map((lease) => heldLease(lease, clock.now())), leaseProblem: undefined };
  } catch (error) {
    const why = codeOf(error) === 403 ? 'you may not list leases in the namespace of the controller' : messageOf(error);
    return { leases: undefined, leaseProblem: why };
  }
}

function heldLease(lease: KubeObject, nowMs: number): HeldLease {
  const { spec } = lease;
  const renewedMs = parseTime(stringAt(spec, 'renewTime'));
  return {
    name: nameOf(lease),
    holder: stringAt(spec, 'holderIdentity') ?? '',
    renewedMsAgo: renewedMs === undefined ? undefined : Math.max(0, nowMs - renewedMs),
    durationMs: (numberAt(spec, 'leaseDurationSeconds') ?? DEFAULT_DURATION_S) * 1_000,
    transitions: numberAt(spec, 'leaseTransitions') ?? 0,
  };
}
