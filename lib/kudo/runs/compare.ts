import { jsonEqual } from '@/lib/json/json';
import type { PlanRun, RunStep } from './plan-run';
import type { RunRecord } from './record-format';

export interface ComparedRun {
  readonly run: PlanRun;
  readonly record: RunRecord | undefined;
}

/** How a run differs from an earlier one: outcome, version, parameters, steps, manifests. A sentence each, none when they are alike. */
export function compareRuns(before: ComparedRun, after: ComparedRun): string[] {
  const [was, is] = [before.run.status ?? {}, after.run.status ?? {}];
  return [
    ...differs('outcome', was.status, is.status),
    ...differs('operator version', was.operatorVersion, is.operatorVersion),
    ...parameterDifferences(before.run, after.run),
    ...stepDifferences(before.run, after.run),
    ...manifestDifferences(before.record, after.record),
  ];
}

function differs(what: string, before: string | undefined, after: string | undefined): string[] {
  return before === after ? [] : [`${what}: ${before ?? 'unknown'} → ${after ?? 'unknown'}`];
}

/** Of what each changed itself; the values of parameters that neither changed are alike. */
function parameterDifferences(before: PlanRun, after: PlanRun): string[] {
  const changed = new Map((after.status?.changes ?? []).map((change) => [change.name ?? '', change]));
  const earlier = new Map((before.status?.changes ?? []).map((change) => [change.name ?? '', change]));
  return [...new Set([...earlier.keys(), ...changed.keys()])].sort().flatMap((name) => {
    const [old, now] = [earlier.get(name), changed.get(name)];
    const from = old === undefined ? now?.before : old.after;
    const to = now === undefined ? old?.after : now.after;
    return from === to ? [] : [`parameter ${name}: ${shown(from)} → ${shown(to)}`];
  });
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

function manifestDifferences(before: RunRecord | undefined, after: RunRecord | undefined): string[] {
  if (before === undefined || after === undefined) return [];
  const [was, is] = [manifestsOf(before), manifestsOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((name) => {
    const [old, now] = [was.get(name), is.get(name)];
    if (old === undefined) return [`${name}: only in the later run`];
    if (now === undefined) return [`${name}: only in the earlier run`];
    return jsonEqual(old, now) ? [] : [`${name}: the manifests differ`];
  });
}

/** Without the marks, which differ in each run. */
function manifestsOf({ tasks }: RunRecord): Map<string, unknown> {
  const manifests = tasks.flatMap((task) => task.manifests);
  return new Map(
    manifests.map(({ kind, metadata, ...rest }) => {
      const { annotations = {}, ...others } = metadata;
      const shown = Object.entries(annotations).filter(([key]) => !key.startsWith('kudo.dev/'));
      return [
        `${kind} ${metadata.name ?? ''}`,
        { ...rest, metadata: { ...others, annotations: Object.fromEntries(shown) } },
      ];
    }),
  );
}
