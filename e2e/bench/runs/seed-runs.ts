import { formatTime } from '@/lib/clock/clock';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { planRunName } from '@/lib/kudo/runs/new-run';
import {
  PLAN_RUN_API_VERSION,
  PLAN_RUNS,
  type PlanRun,
  type PlanRunStatus,
  RUN_INSTANCE_LABEL,
  type RunPhase,
} from '@/lib/kudo/runs/plan-run';
import type { Instance } from '@/lib/kudo/types';
import { type Random, randomUuid, systemRandom } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';

/** As many of each plan as are kept (`limits.planRuns`): the controller deletes none of them. */
const PLANS = ['backup', 'restore', 'update', 'verify', 'repair'] as const;
const RUNS_A_PLAN = 20;
const PARALLEL = 16;
const MINUTE_MS = 60_000;

/** How many runs {@link seedRuns} makes of each Instance. */
export const RUNS_AN_INSTANCE = PLANS.length * RUNS_A_PLAN;

/**
 * Writes a hundred runs of each Instance through the API, in the order of time: each is created, then its status is written, as
 * the controller does. All are over, and the newest one began a minute ago.
 */
export async function seedRuns(api: Api, instances: readonly Instance[], nowMs: number): Promise<void> {
  const wanted = Array.from({ length: RUNS_A_PLAN }, (_, number) =>
    PLANS.flatMap((plan) => instances.map((instance) => ({ instance, plan, number: number + 1 }))),
  ).flat();
  let next = 0;
  const work = async () => {
    for (let at = next++; at < wanted.length; at = next++) {
      const one = wanted[at];
      if (one === undefined) return;
      const beganMs = nowMs - (wanted.length - at) * MINUTE_MS;
      await writeRun(api, planRun(one.instance, one.plan, one.number, systemRandom), statusOf(one.plan, at, beganMs));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
}

/** Creates a run and writes its status. */
export async function writeRun(api: Api, run: PlanRun, status: PlanRunStatus): Promise<void> {
  const target = { ...PLAN_RUNS, namespace: namespaceOf(run) };
  const created = await api.create(target, run);
  await api.update({ ...target, name: nameOf(run) }, { ...created, status } as PlanRun, { subresource: 'status' });
}

function planRun(instance: Instance, plan: string, number: number, random: Random): PlanRun {
  const name = nameOf(instance);
  return {
    apiVersion: PLAN_RUN_API_VERSION,
    kind: 'PlanRun',
    metadata: {
      name: planRunName(name, plan, number),
      namespace: namespaceOf(instance),
      labels: { [RUN_INSTANCE_LABEL]: name },
    },
    spec: {
      instanceName: name,
      instanceUid: instance.metadata.uid ?? '',
      plan,
      uid: randomUuid(random),
      cause: plan === 'backup' ? 'Schedule' : 'Manual',
      requestedBy: `person-${number % 7}@example.com`,
      ...(plan === 'backup' ? {} : { reason: `ticket ${number} of the night shift` }),
    },
  };
}

/** Three phases of two steps each; one run in fifty failed. */
function statusOf(plan: string, at: number, beganMs: number): PlanRunStatus {
  const hasFailed = at % 50 === 49;
  const finishedAt = formatTime(beganMs + 40_000);
  return {
    status: hasFailed ? 'FATAL_ERROR' : 'COMPLETE',
    ...(hasFailed ? { message: 'Job pg-dump failed: container dump ended with code 1.' } : {}),
    startedAt: formatTime(beganMs),
    finishedAt,
    operatorVersion: 'six-1.0',
    phases: ['prepare', 'work', 'check'].map((name) => phaseOf(name, beganMs)),
    changes: [{ name: 'VALUE', before: `value ${at}`, after: `value ${at + 1}` }],
    ...(plan === 'backup' && !hasFailed
      ? { outputs: [{ type: 'backup', name: `backup-${at}`, size: 1_000_000 + at, createdAt: finishedAt }] }
      : {}),
    recordName: `record-${at}`,
    recordBytes: 3_000,
  };
}

function phaseOf(name: string, beganMs: number): RunPhase {
  const times = { startedAt: formatTime(beganMs), finishedAt: formatTime(beganMs + 5_000), seconds: 5.2 };
  const steps = ['objects', 'wait'].map((step) => ({ name: `${name}-${step}`, status: 'COMPLETE' as const, ...times }));
  return { name, status: 'COMPLETE', steps };
}

/** A run with a thousand steps that are complete: twenty phases of fifty. */
export function hugeRun(instance: Instance, number: number): { run: PlanRun; status: PlanRunStatus } {
  const beganMs = Date.UTC(2026, 0, 5, 3);
  const phases = Array.from({ length: 20 }, (_, phase) => ({
    name: `phase-${phase}`,
    status: 'COMPLETE' as const,
    steps: Array.from({ length: 50 }, (_each, step) => ({
      name: `step-${phase * 50 + step}`,
      status: 'COMPLETE' as const,
      startedAt: formatTime(beganMs + 1_000 * step),
      finishedAt: formatTime(beganMs + 1_000 * (step + 1)),
      seconds: 1,
    })),
  }));
  return {
    run: planRun(instance, 'huge', number, systemRandom),
    status: { ...statusOf('huge', 0, beganMs), phases },
  };
}
