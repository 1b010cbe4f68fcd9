import type { Clock } from '@/lib/clock/clock';
import type { ClusterInfo, ClusterState } from '@/lib/clusters/cluster-info';
import { messageOf } from '@/lib/errors/errors';
import { arrayAt, numberAt, stringAt } from '@/lib/json/json';
import type { Api } from '@/server/kube/api';
import { readText } from '@/server/kube/body';
import { withDeadline } from '@/server/kube/deadline';
import { codeOf, errorOfResponse } from '@/server/kube/errors';

/** What a cluster answered a person. */
export type ProbedCluster = Pick<ClusterInfo, 'state' | 'problem' | 'version' | 'latencyMs' | 'instances'>;

const WITHIN_MS = 3_000;
const SLOW_MS = 1_000;
const MAX_BYTES = 1024 * 1024;
/** Whose credentials they are depends on the way to sign in (docs/decisions/086). */
const NOT_ACCEPTED =
  'It does not accept your credentials (401 Unauthorized). It has to accept the token that you signed in with; the credentials of a kubeconfig have to be renewed.';
const INSTANCES = '/apis/kudo.dev/v1beta1/instances?limit=1';

/** Asks a cluster for its version and for the number of its Instances, in a person's name. It takes three seconds at most. */
export async function probeCluster(api: Api, clock: Clock): Promise<ProbedCluster> {
  const startedMs = clock.monotonic();
  try {
    return await withDeadline(clock, WITHIN_MS, undefined, async (signal) => {
      const version = await ask(api, '/version', signal);
      const latencyMs = Math.round(clock.monotonic() - startedMs);
      const instances = await countInstances(api, signal);
      const state: ClusterState = latencyMs > SLOW_MS ? 'slow' : 'ready';
      const problem = state === 'slow' ? { problem: `It answers slowly: after ${latencyMs} ms.` } : {};
      return { state, ...problem, version: stringAt(version, 'gitVersion') ?? '', latencyMs, instances };
    });
  } catch (error) {
    const code = codeOf(error);
    if (code === 401) return { state: 'refused', problem: NOT_ACCEPTED };
    if (code === 403) return { state: 'refused', problem: `It does not accept your sign-in: ${messageOf(error)}` };
    const problem = error instanceof SyntaxError ? 'It does not answer as a Kubernetes API does.' : messageOf(error);
    return { state: 'unreachable', problem };
  }
}

/** Undefined where the person may not list them in all namespaces, or the CRDs are missing. */
async function countInstances(api: Api, signal: AbortSignal): Promise<number | undefined> {
  try {
    const list = await ask(api, INSTANCES, signal);
    return arrayAt(list, 'items').length + (numberAt(list, 'metadata', 'remainingItemCount') ?? 0);
  } catch (error) {
    if (codeOf(error) === 0) throw error;
    return undefined;
  }
}

async function ask(api: Api, path: string, signal: AbortSignal): Promise<unknown> {
  const response = await api.raw({ method: 'GET', path, headers: { accept: 'application/json' }, signal });
  const text = await readText(response.body, MAX_BYTES);
  if (response.status >= 400) throw errorOfResponse(response.status, text);
  return JSON.parse(text);
}
