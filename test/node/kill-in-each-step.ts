import { arrayAt, objectAt, stringAt } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { RealCluster } from './real-cluster';
import { pause } from './tools';

/** Short, so that few steps pass unseen. */
const POLL_MS = 10;

/** A plan of an Instance in the namespace `default`. */
export interface StartedPlan {
  readonly instance: string;
  readonly plan: string;
}

/**
 * Runs the command line until a plan that it starts has ended, and kills the controller with SIGKILL once in each step that is seen in
 * progress. Resolves with these steps, `PHASE.STEP` in order; rejects when the command fails or the plan is not COMPLETE.
 */
export async function killInEachStep(
  cluster: RealCluster,
  { instance, plan }: StartedPlan,
  ...words: readonly string[]
): Promise<string[]> {
  const status = async () => {
    const found = await cluster.api.get({ ...INSTANCES, namespace: 'default', name: instance });
    return objectAt(found, 'status', 'planStatus', plan);
  };
  const before = stringAt(await status(), 'uid');
  const killed: string[] = [];
  let hasEnded = false;
  const running = cluster.bravo(...words, '--instance', instance, '--wait').finally(() => {
    hasEnded = true;
  });
  // A command that is refused ends between two looks at the plan; its error is thrown below.
  running.catch(() => undefined);
  while (!hasEnded) {
    await pause(POLL_MS);
    const current = await status();
    const step = stepInProgress(current);
    if (stringAt(current, 'uid') === before || step === undefined || killed.includes(step)) continue;
    killed.push(step);
    await cluster.replaceController();
  }
  await running;
  const end = stringAt(await status(), 'status');
  if (end !== 'COMPLETE') throw new Error(`Plan ${plan} of Instance ${instance} ended with ${end}`);
  return killed;
}

function stepInProgress(status: { readonly [key: string]: unknown } | undefined): string | undefined {
  for (const phase of arrayAt(status, 'phases')) {
    const step = arrayAt(phase, 'steps').find((each) => stringAt(each, 'status') === 'IN_PROGRESS');
    if (step !== undefined) return `${stringAt(phase, 'name')}.${stringAt(step, 'name')}`;
  }
  return undefined;
}
