import { systemClock } from '@/lib/clock/clock';
import { arrayAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { systemRandom } from '@/lib/random/random';
import { startCache } from '@/server/kube/cache';
import { createLog } from '@/server/log/log';
import type { RealCluster } from './real-cluster';

const TARGET = { ...INSTANCES, namespace: 'default' };

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
  const statusIn = (found: KubeObject | undefined) => objectAt(found, 'status', 'planStatus', plan);
  // Watched: asking each few milliseconds would take a quarter of a processor.
  const seams = { clock: systemClock, random: systemRandom, log: createLog('kill-in-each-step') };
  const instances = startCache(cluster.api, TARGET, seams);
  await instances.synced;
  const status = () => statusIn(instances.get('default', instance));
  const before = stringAt(status(), 'uid');
  const killed: string[] = [];
  let hasEnded = false;
  let wake: () => void = () => undefined;
  instances.onChange(() => wake());
  const running = cluster.bravo(...words, '--instance', instance, '--wait').finally(() => {
    hasEnded = true;
    wake();
  });
  // A command that is refused may end while the controller starts; its error is thrown below.
  running.catch(() => undefined);
  try {
    while (!hasEnded) {
      const current = status();
      const step = stepInProgress(current);
      if (stringAt(current, 'uid') === before || step === undefined || killed.includes(step)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      killed.push(step);
      await cluster.replaceController();
    }
  } finally {
    await instances.stop();
  }
  await running;
  const end = stringAt(statusIn(await cluster.api.get({ ...TARGET, name: instance })), 'status');
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
