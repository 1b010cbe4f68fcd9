import { messageOf } from '@/lib/errors/errors';
import { asCommand, collectorCommand } from '@/lib/harness/collector';
import type { CaseStep } from '@/lib/harness/step';
import { defaultStepSeconds } from '@/lib/harness/suite';
import type { Target } from '@/server/kube/api';
import { type CheckPlace, checkStep } from './check-step';
import { createOrMerge } from './create-or-merge';
import { deleteReferences } from './delete-objects';
import type { Harness, HarnessCluster, HarnessLog } from './harness';
import type { RunningProgram } from './run-command';
import { kubeconfigOf, runCommands, runHarnessCommand } from './step-commands';
import { errorAt } from './targets';

const CHECK_EVERY_MS = 1_000;

/** Where a step runs, and what it leaves for the end of its case. */
export interface CaseStepPlace {
  readonly harness: Harness;
  readonly cluster: HarnessCluster;
  readonly namespace: string;
  /** The case's folder. */
  readonly folder: string;
  readonly log: HarnessLog;
  /** Gets what the step creates. */
  readonly created: { readonly cluster: HarnessCluster; readonly target: Target }[];
  /** Gets what runs in the background. */
  readonly running: RunningProgram[];
}

/**
 * Runs a step: deletions, commands, objects, then the checks until all hold (KUTTL step/step.go Run).
 *
 * @returns the errors, those of the last round when checks failed; empty when it passed
 */
export async function runStep(step: CaseStep, place: CaseStepPlace): Promise<readonly string[]> {
  const { harness, cluster } = place;
  const { signal } = harness;
  const suiteSeconds = defaultStepSeconds(harness.suite);
  const checks = placeOf(step, place);
  const timeoutMs = (step.assert.timeout > 0 ? step.assert.timeout : suiteSeconds) * 1_000;
  try {
    await deleteReferences(step.step.delete, checks, timeoutMs);
  } catch (error) {
    signal.throwIfAborted();
    return [messageOf(error)];
  }
  const { running } = place;
  const failed = await runCommands(step.step.commands, checks.commands, { timeoutSeconds: suiteSeconds, running });
  const errors = failed === undefined ? [] : [failed];
  for (const source of step.apply) {
    try {
      const target = await createOrMerge(source, checks, timeoutMs);
      if (target !== undefined) place.created.push({ cluster, target });
    } catch (error) {
      signal.throwIfAborted();
      errors.push(errorAt(source, error));
    }
  }
  if (errors.length > 0) return errors;
  const problems = await checkUntil(step, checks, timeoutMs);
  if (problems.length > 0) await collect(step, checks);
  return problems;
}

function placeOf(step: CaseStep, { harness, cluster, namespace, folder, log }: CaseStepPlace): CheckPlace {
  const written = step.step.kubeconfig;
  const kubeconfig = written === '' ? cluster.kubeconfig : kubeconfigOf(written, folder, harness.environment);
  const commands = { harness, namespace, folder, kubeconfig, log };
  return { cluster, namespace, pace: harness.pace, log, signal: harness.signal, commands };
}

/** Rounds of checks, one a second, until one has no errors; a timeout of 0 checks nothing. */
async function checkUntil(step: CaseStep, place: CheckPlace, timeoutMs: number): Promise<readonly string[]> {
  const { pace, signal } = place;
  const endMs = pace.clock.monotonic() + timeoutMs;
  let errors: readonly string[] = [];
  for (;;) {
    const remainingMs = endMs - pace.clock.monotonic();
    if (remainingMs <= 0) return errors;
    const checked = await checkStep(step, place, remainingMs);
    errors = checked.errors;
    if (errors.length === 0 || checked.isTimeout) return errors;
    await pace.pause(CHECK_EVERY_MS, signal);
  }
}

/** Runs the collectors; what goes wrong with them is no failure of the step. */
async function collect(step: CaseStep, { commands }: CheckPlace): Promise<void> {
  for (const collector of step.assert.collectors) {
    const made = collectorCommand(collector);
    if ('invalid' in made) commands.log.line(made.invalid);
    else await runHarnessCommand(asCommand(made.line), commands, defaultStepSeconds(commands.harness.suite));
  }
}
