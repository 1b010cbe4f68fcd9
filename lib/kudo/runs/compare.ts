import { jsonEqual } from '@/lib/json/json';
import { nameOf } from '@/lib/kube/object';
import type { PlanRun, RunStep } from './plan-run';
import type { RunRecord } from './record-format';

export interface ComparedRun {
  readonly run: PlanRun;
  readonly record: RunRecord | undefined;
}

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
    ...parameterDifferences(before.run, [...between, after.run]),
    ...stepDifferences(before.run, after.run),
    ...manifestDifferences(before, after),
  ];
}

function differs(what: string, before: string | undefined, after: string | undefined): string[] {
  return before === after ? [] : [`${what}: ${before ?? 'unknown'} → ${after ?? 'unknown'}`];
}

/**
 * From the first value that a later run changed to the last one. Of another Instance nobody knows the values that no run changed.
 *
 * @param later the oldest first
 */
function parameterDifferences(before: PlanRun, later: readonly PlanRun[]): string[] {
  if (later.some(({ spec }) => spec?.instanceUid !== before.spec?.instanceUid)) {
    return ['parameters: not compared, the runs are of different instances'];
  }
  const differences = new Map<string, { from: string | undefined; to: string | undefined }>();
  for (const { name = '', before: from, after: to } of later.flatMap(({ status }) => status?.changes ?? [])) {
    const known = differences.get(name);
    differences.set(name, { from: known === undefined ? from : known.from, to });
  }
  return [...differences]
    .filter(([, { from, to }]) => from !== to)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { from, to }]) => `parameter ${name}: ${shown(from)} → ${shown(to)}`);
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

function manifestDifferences(before: ComparedRun, after: ComparedRun): string[] {
  const [was, is] = [manifestsOf(before), manifestsOf(after)];
  if (was === undefined || is === undefined) {
    return [`manifests: not compared, none are recorded of run ${nameOf((was === undefined ? before : after).run)}`];
  }
  return [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((name) => {
    const [old, now] = [was.get(name), is.get(name)];
    if (old === undefined) return [`${name}: only in run ${nameOf(after.run)}`];
    if (now === undefined) return [`${name}: only in run ${nameOf(before.run)}`];
    return jsonEqual(old, now) ? [] : [`${name}: the manifests differ`];
  });
}

/**
 * By kind and name, with the namespace where it is not the run's, and without the marks, which differ in each run. Undefined when
 * there is no record, or they did not fit into it.
 */
function manifestsOf({ run, record }: ComparedRun): Map<string, unknown> | undefined {
  const manifests = record?.tasks.flatMap((task) => task.manifests);
  const isCut = manifests?.length === 0 && record?.tasks.some(({ objects }) => objects.length > 0);
  if (manifests === undefined || isCut === true) return undefined;
  return new Map(
    manifests.map(({ kind, metadata, ...rest }) => {
      const { annotations = {}, ...others } = metadata;
      const shown = Object.entries(annotations).filter(([key]) => !key.startsWith('kudo.dev/'));
      const { name = '', namespace = run.metadata.namespace } = metadata;
      const place = namespace === run.metadata.namespace ? name : `${namespace}/${name}`;
      return [`${kind} ${place}`, { ...rest, metadata: { ...others, annotations: Object.fromEntries(shown) } }];
    }),
  );
}
