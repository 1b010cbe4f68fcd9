import { TerminalError, TransientError } from '@/lib/errors/errors';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { operatorVersionKey } from '@/lib/kudo/names';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { awaitPlan } from '@/server/packages/await-plan';
import type { ClusterSession } from './session';
import { type WaitFlags, waitTimeMs } from './wait-flags';

export type { WaitFlags } from './wait-flags';

/** The Instance of that name in the session's namespace, or undefined. */
export async function getInstance({ api, namespace }: ClusterSession, name: string): Promise<Instance | undefined> {
  return (await api.get({ ...INSTANCES, namespace, name })) as Instance | undefined;
}

/** The OperatorVersion that an Instance refers to, or undefined. */
export async function getOperatorVersion(
  session: ClusterSession,
  instance: Instance,
): Promise<OperatorVersion | undefined> {
  const { namespace, name } = operatorVersionKey(instance);
  return (await session.api.get({ ...OPERATOR_VERSIONS, namespace, name })) as OperatorVersion | undefined;
}

/** @throws TerminalError in KUDO's words when it does not exist */
export async function requireInstance(session: ClusterSession, name: string): Promise<Instance> {
  const instance = await getInstance(session, name);
  if (instance !== undefined) return instance;
  throw new TerminalError(
    `instance ${name} in namespace ${session.namespace} does not exist in the cluster`,
    'NotFound',
  );
}

/** Waits for the plan of an Instance; ignores the executions in `before`. */
export async function waitForPlan(
  session: ClusterSession,
  name: string,
  flags: WaitFlags,
  before?: ReadonlySet<string>,
): Promise<void> {
  const { api, clock, namespace } = session;
  await awaitPlan(api, { namespace, instance: name, clock, timeoutMs: waitTimeMs(flags), before });
}

/** True for a wait that timed out. */
export function isTimeout(error: unknown): boolean {
  return error instanceof TransientError && error.reason === 'Timeout';
}
