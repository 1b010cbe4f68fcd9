import { nameOf } from '@/lib/kube/object';
import { type ComparedRun, compareManifests, parameterDifferences } from './comparison';
import type { PlanRun, RunStep } from './plan-run';

/**
 * How a run differs from an earlier one: outcome, version, parameters, steps, manifests. A sentence each, none when they are alike.
 *
 * @param between the runs of the same Instance that began after `before` and before `after`, the oldest first: what they changed of the
 *   parameters is a difference too
 */
export function compareRuns(before: ComparedRun, after: ComparedRun, between: readonly PlanRun[] = []): string[] {
  const [was, is] = [before.run.status ?? {}, after.run.status ?? {}];
  return [
    ...differs('outcome', was.status, is.status),
    ...differs('operator version', was.operatorVersion, is.operatorVersion),
    ...parameterSentences(before.run, [...between, after.run]),
    ...stepDifferences(before.run, after.run),
    ...manifestSentences(before, after),
  ];
}

function differs(what: string, before: string | undefined, after: string | undefined): string[] {
  return before === after ? [] : [`${what}: ${before ?? 'unknown'} → ${after ?? 'unknown'}`];
}

function parameterSentences(before: PlanRun, later: readonly PlanRun[]): string[] {
  const differences = parameterDifferences(before, later);
  if (differences === undefined) return ['parameters: not compared, the runs are of different instances'];
  return differences.map(({ name, from, to }) => `parameter ${name}: ${shown(from)} → ${shown(to)}`);
}

function shown(value: string | undefined): string {
  return value === undefined ? '(default)' : JSON.stringify(value);
}

function stepDifferences(before: PlanRun, after: PlanRun): string[] {
  const [was, is] = [stepsOf(before), stepsOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((place) => {
    const [old, now] = [was.get(place), is.get(place)];
    const describe = (step: RunStep | undefined) =>
      step === undefined
        ? 'absent'
        : `${step.status ?? ''}${step.seconds === undefined ? '' : ` in ${step.seconds} s`}`;
    const isAlike = old?.status === now?.status && !isSlower(old, now) && !isSlower(now, old);
    return isAlike ? [] : [`step ${place}: ${describe(old)} → ${describe(now)}`];
  });
}

/** At least twice as long, and a second longer. */
function isSlower(one: RunStep | undefined, other: RunStep | undefined): boolean {
  const [a, b] = [one?.seconds, other?.seconds];
  return a !== undefined && b !== undefined && b >= 2 * a && b - a >= 1;
}

function stepsOf({ status }: PlanRun): Map<string, RunStep> {
  const steps = (status?.phases ?? []).flatMap(({ name: phase = '', steps = [] }) =>
    steps.map((step): [string, RunStep] => [`${phase}/${step.name ?? ''}`, step]),
  );
  return new Map(steps);
}

function manifestSentences(before: ComparedRun, after: ComparedRun): string[] {
  const compared = compareManifests(before, after);
  if ('missingOf' in compared) return [`manifests: not compared, none are recorded of run ${compared.missingOf}`];
  return compared.differences.map((each) => {
    if (each.before === undefined) return `${each.name}: only in run ${nameOf(after.run)}`;
    if (each.after === undefined) return `${each.name}: only in run ${nameOf(before.run)}`;
    return `${each.name}: the manifests differ`;
  });
}
