import { type Clock, sleep } from '@/lib/clock/clock';
import type { Api } from '@/server/kube/api';
import type { ControllerState } from '@/server/runtime/runtime';

/** Whether the console can do its work, check by check, each with a sentence. */
export interface Readiness {
  readonly ready: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly message: string }[];
}

interface Parts {
  readonly controller: ControllerState;
  /** What the webhook of a controller in this process says of itself. */
  readonly webhook: string | undefined;
  /** What the controller may not do with its lease. */
  readonly leaseProblem: string | undefined;
  /** Why the controller waits for controllers with another number of shards. */
  readonly shardsProblem?: string | undefined;
  /** The console was told to end: it still answers, and nothing new should be sent to it. */
  readonly isStopping: boolean;
}

/** How long the Kubernetes API may take to answer before the console calls itself not ready. */
const API_PATIENCE_MS = 3_000;

/** Asks the Kubernetes API for its version and looks at the controller's state. Never throws. */
export async function readReadiness(api: Api, parts: Parts, clock: Clock): Promise<Readiness> {
  const { controller, webhook, leaseProblem, shardsProblem, isStopping } = parts;
  const words = leaseProblem ?? shardsProblem ?? CONTROLLER_WORDS[controller];
  const abort = new AbortController();
  const reached = await Promise.race([
    reachApi(api, abort.signal),
    sleep(clock, API_PATIENCE_MS, abort.signal).then(() => `no answer within ${API_PATIENCE_MS / 1000} s`),
  ]);
  abort.abort();
  const checks = [
    { name: 'kubernetes', ok: reached === undefined, message: reached ?? 'answers' },
    { name: 'controller', ok: !CANNOT_WORK.has(controller), message: words },
    ...(isStopping ? [{ name: 'console', ok: false, message: 'is being stopped' }] : []),
    // Without it edits are judged a moment later: nothing to call the console not ready for.
    ...(webhook === undefined ? [] : [{ name: 'webhook', ok: true, message: webhook }]),
  ];
  return { ready: checks.every((check) => check.ok), checks };
}

const CANNOT_WORK: ReadonlySet<ControllerState> = new Set(['failed', 'forbidden']);

const CONTROLLER_WORDS: Readonly<Record<ControllerState, string>> = {
  running: 'runs here',
  standby: 'does not lead: another controller holds Lease bravo-controller, or the first lists are still being read',
  forbidden: 'may not use Lease bravo-controller',
  yields: "waits until KUDO's own manager is gone (kubectl get statefulsets -A -l app=kudo-manager)",
  off: 'does not run here',
  failed: 'has stopped or hangs; the log says why',
};

async function reachApi(api: Api, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await api.raw({ method: 'GET', path: '/version', signal });
    for await (const _ of response.body) break;
    if (response.status === 401) return 'does not accept the credentials of this console (401)';
    return response.status < 400 ? undefined : `answers ${response.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
