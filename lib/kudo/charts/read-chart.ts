import { arrayAt, isJsonObject, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { readYamlAsKubernetes } from '@/lib/yaml/yaml';
import { type PackageProblem, problemAt } from '../package/types';

/** An entry of `dependencies` in Chart.yaml. */
export interface ChartDependency {
  readonly name: string;
  readonly alias?: string;
  /** Paths in the values, separated by commas; the first that is set decides. */
  readonly condition?: string;
  readonly tags: readonly string[];
}

/** A Helm chart. Paths are those of its archive, without the top folder. */
export interface Chart {
  readonly name: string;
  /** Where it is: empty, or `charts/redis/`. */
  readonly folder: string;
  /** Chart.yaml. */
  readonly metadata: JsonObject;
  readonly isLibrary: boolean;
  readonly dependencies: readonly ChartDependency[];
  /** values.yaml, and its text for comments. */
  readonly values: JsonObject;
  readonly valuesText: string;
  /** values.schema.json; empty when there is none. */
  readonly schema: JsonObject;
  /** Below `templates/`, by path in the archive: `templates/x.yaml`, also files of definitions and notes. */
  readonly templates: ReadonlyMap<string, string>;
  /** Below `crds/`. */
  readonly crds: ReadonlyMap<string, string>;
  /** What `.Files` sees: everything else, by path in the chart. */
  readonly files: ReadonlyMap<string, string>;
  /** By the name under which the parent's values have them. */
  readonly subcharts: ReadonlyMap<string, Chart>;
}

export type ChartRead =
  | { readonly ok: true; readonly chart: Chart }
  | { readonly ok: false; readonly problems: readonly PackageProblem[] };

/**
 * Reads the files of a chart (Helm pkg/chart/loader), apiVersion v1 and v2.
 *
 * @param files text by path; the chart is at the top
 */
export function readChart(files: ReadonlyMap<string, string>): ChartRead {
  const problems: PackageProblem[] = [];
  const chart = chartAt(files, '', problems, 0);
  return chart === undefined || problems.length > 0 ? { ok: false, problems } : { ok: true, chart };
}

function chartAt(
  files: ReadonlyMap<string, string>,
  folder: string,
  problems: PackageProblem[],
  depth: number,
): Chart | undefined {
  if (depth > limits.chartDepth) {
    problems.push(problemAt(`${folder}Chart.yaml`, 0, `Charts in charts are deeper than ${limits.chartDepth} levels.`));
    return undefined;
  }
  const metadata = mapOf(files, `${folder}Chart.yaml`, problems);
  const name = stringAt(metadata, 'name') ?? '';
  if (name === '') {
    const why = files.has(`${folder}Chart.yaml`) ? 'has no name' : 'does not exist';
    problems.push(problemAt(`${folder}Chart.yaml`, 0, `${folder}Chart.yaml ${why}: this is not a Helm chart.`));
    return undefined;
  }
  const below = (part: string) =>
    new Map([...files].filter(([path]) => path.startsWith(folder + part) && !isOfSubchart(path, folder)));
  const own = new Map([...below('')].map(([path, text]) => [path.slice(folder.length), text]));
  const dependencies = arrayAt(metadata, 'dependencies').filter(isJsonObject).map(dependencyOf);
  return {
    name,
    folder,
    metadata,
    isLibrary: metadata.type === 'library',
    dependencies,
    values: mapOf(files, `${folder}values.yaml`, problems),
    valuesText: files.get(`${folder}values.yaml`) ?? '',
    schema: mapOf(files, `${folder}values.schema.json`, problems),
    templates: below('templates/'),
    crds: below('crds/'),
    files: new Map([...own].filter(([path]) => !/^(templates|crds)\/|^(Chart|values)\.|^values\./.test(path))),
    subcharts: subchartsOf(files, { folder, dependencies }, problems, depth),
  };
}

function isOfSubchart(path: string, folder: string): boolean {
  return path.startsWith(`${folder}charts/`);
}

function subchartsOf(
  files: ReadonlyMap<string, string>,
  { folder, dependencies }: Pick<Chart, 'folder' | 'dependencies'>,
  problems: PackageProblem[],
  depth: number,
): Map<string, Chart> {
  const found = new Map<string, Chart>();
  const start = `${folder}charts/`;
  const folders = [...files.keys()].filter((path) => path.startsWith(start) && path.endsWith('/Chart.yaml'));
  for (const path of folders) {
    const below = path.slice(start.length, -'/Chart.yaml'.length);
    if (below.includes('/')) continue;
    const chart = chartAt(files, `${start}${below}/`, problems, depth + 1);
    if (chart === undefined) continue;
    const named = dependencies.filter((each) => each.name === chart.name);
    const names = named.length === 0 ? [chart.name] : named.map((each) => each.alias ?? each.name);
    if (names.length > 1) {
      const message = `The chart ${chart.name} is used ${names.length} times, which cannot be converted. Use a copy for each.`;
      problems.push(problemAt(`${folder}Chart.yaml`, 0, message));
    }
    for (const name of names) found.set(name, chart);
  }
  for (const { name, alias } of dependencies) {
    if (found.has(alias ?? name)) continue;
    const message = `The dependency ${name} is not in charts/. Run: helm dependency build`;
    problems.push(problemAt(`${folder}Chart.yaml`, 0, message));
  }
  return found;
}

function dependencyOf(entry: JsonObject): ChartDependency {
  const { alias, condition } = entry;
  return {
    name: stringAt(entry, 'name') ?? '',
    ...(typeof alias === 'string' && alias !== '' ? { alias } : {}),
    ...(typeof condition === 'string' && condition !== '' ? { condition } : {}),
    tags: arrayAt(entry, 'tags').filter((tag) => typeof tag === 'string'),
  };
}

function mapOf(files: ReadonlyMap<string, string>, path: string, problems: PackageProblem[]): JsonObject {
  const read = readYamlAsKubernetes(files.get(path) ?? '');
  if (!read.ok) {
    for (const { line, message } of read.problems) problems.push(problemAt(path, line, message));
    return {};
  }
  if (read.value === null) return {};
  if (!isJsonObject(read.value)) problems.push(problemAt(path, 1, 'The file must be a map.'));
  return isJsonObject(read.value) ? read.value : {};
}

/**
 * The values of a chart with those of its subcharts below their names, as Helm coalesces them: the parent's values win, `global` is
 * shared, null removes a default.
 */
export function coalescedValues(chart: Chart, overrides: JsonObject = {}): JsonObject {
  const values = merged(chart.values, overrides);
  for (const [name, subchart] of chart.subcharts) {
    const below = objectAt(values, name);
    const shared = merged(
      objectAt(subchart.values, 'global'),
      merged(objectAt(below, 'global'), objectAt(values, 'global')),
    );
    const own = Object.keys(shared).length === 0 ? below : { ...below, global: shared };
    values[name] = coalescedValues(subchart, own);
  }
  return values;
}

/** The second map over the first, deep; lists and scalars replace. */
function merged(base: JsonObject, over: JsonObject): JsonObject {
  const result: JsonObject = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = result[key];
    if (value === null && Object.hasOwn(base, key)) delete result[key];
    else result[key] = isJsonObject(value) && isJsonObject(before) ? merged(before, value) : value;
  }
  return result;
}
