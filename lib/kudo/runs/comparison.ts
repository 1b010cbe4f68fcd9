import { jsonEqual } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { PlanRun } from './plan-run';
import type { RunRecord } from './record-format';
import { byTime } from './run-words';

/** A run with what is large in its record; undefined when it has none, or none yet. */
export interface ComparedRun {
  readonly run: PlanRun;
  readonly record: RunRecord | undefined;
}

/** A parameter whose value is another one in the later run. Undefined is the default; secret values are fingerprints. */
export interface ParameterDifference {
  readonly name: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly isSecret: boolean;
}

/** An object whose manifests differ, or that only one run rendered. They are as rendered, without the marks of KUDO, which differ in each run. */
export interface ManifestDifference {
  /** Kind and name, with the namespace where it is not the run's. */
  readonly name: string;
  /** Undefined when only the later run has it. */
  readonly before: KubeObject | undefined;
  /** Undefined when only the earlier run has it. */
  readonly after: KubeObject | undefined;
}

export interface ManifestComparison {
  /** By name. */
  readonly differences: readonly ManifestDifference[];
  /** How many are the same in both. */
  readonly alike: number;
}

/** The runs that began after one and before the other, the oldest first, of the Instance of the later one. */
export function runsBetween(runs: readonly PlanRun[], earlier: PlanRun, later: PlanRun): PlanRun[] {
  return runs
    .filter(({ spec }) => spec?.instanceUid === later.spec?.instanceUid)
    .filter((each) => byTime(each, earlier) < 0 && byTime(each, later) > 0)
    .sort((a, b) => byTime(b, a));
}

/**
 * The parameters whose values differ between two runs, by name: from the first value that a later run changed to the last one. Undefined
 * when the runs are of different Instances, of which nobody knows the values that no run changed.
 *
 * @param later the runs after `before`, the oldest first
 */
export function parameterDifferences(before: PlanRun, later: readonly PlanRun[]): ParameterDifference[] | undefined {
  if (later.some(({ spec }) => spec?.instanceUid !== before.spec?.instanceUid)) return undefined;
  const differences = new Map<string, ParameterDifference>();
  for (const { name = '', before: from, after: to, secret } of later.flatMap(({ status }) => status?.changes ?? [])) {
    const known = differences.get(name);
    const isSecret = secret === true || known?.isSecret === true;
    differences.set(name, { name, from: known === undefined ? from : known.from, to, isSecret });
  }
  return [...differences.values()].filter(({ from, to }) => from !== to).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** How the manifests of two runs differ; the name of the run of which none are recorded, when there is one. */
export function compareManifests(before: ComparedRun, after: ComparedRun): ManifestComparison | { missingOf: string } {
  const [was, is] = [manifestsOf(before), manifestsOf(after)];
  if (was === undefined || is === undefined) {
    return { missingOf: nameOf((was === undefined ? before : after).run) };
  }
  const names = [...new Set([...was.keys(), ...is.keys()])].sort();
  const all = names.map((name) => ({ name, before: was.get(name), after: is.get(name) }));
  const differences = all.filter(({ before, after }) => !isAlike(before, after));
  return { differences, alike: all.length - differences.length };
}

function isAlike(before: KubeObject | undefined, after: KubeObject | undefined): boolean {
  return before !== undefined && after !== undefined && jsonEqual(before, after);
}

/** By kind and name. Undefined when there is no record, or they did not fit into it. */
function manifestsOf({ run, record }: ComparedRun): Map<string, KubeObject> | undefined {
  const manifests = record?.tasks.flatMap((task) => task.manifests);
  const isCut = manifests?.length === 0 && record?.tasks.some(({ objects }) => objects.length > 0);
  if (manifests === undefined || isCut === true) return undefined;
  return new Map(
    manifests.map((manifest) => {
      const { annotations = {}, ...others } = manifest.metadata;
      const shown = Object.entries(annotations).filter(([key]) => !key.startsWith('kudo.dev/'));
      const { name = '', namespace = run.metadata.namespace } = others;
      const place = namespace === run.metadata.namespace ? name : `${namespace}/${name}`;
      const metadata = { ...others, ...(shown.length === 0 ? {} : { annotations: Object.fromEntries(shown) }) };
      return [`${manifest.kind} ${place}`, { ...manifest, metadata }];
    }),
  );
}
