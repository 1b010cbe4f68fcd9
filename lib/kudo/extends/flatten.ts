import { arrayAt, isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import { readYamlSource, writeYaml, type YamlSource } from '@/lib/yaml/yaml';
import { OPERATOR_FILE, PARAMS_FILE, type PackageFiles, type PackageProblem, problemAt } from '../package/types';
import { insertSteps } from './insert-steps';
import { mergeParameters } from './merge-parameters';

/** A package and what messages call it. */
export interface FlattenInput {
  readonly files: PackageFiles;
  /** `postgres 16.9-1.1.0`. */
  readonly name: string;
}

export type Flattened =
  | { readonly ok: true; readonly files: PackageFiles; readonly added: AddedPlaces }
  | { readonly ok: false; readonly problems: readonly PackageProblem[] };

/** Where the flattened files have what the extending package says: indexes of tasks and parameters, names of plans. */
export interface AddedPlaces {
  readonly tasks: number;
  readonly patches: number;
  readonly parameters: ReadonlyMap<string, number>;
  readonly plans: ReadonlySet<string>;
}

/** Reports a conflict at a place of the extending operator.yaml or params.yaml, and, if it is known, at one of the base. */
export interface Conflicts {
  readonly own: { readonly [file in 'operator.yaml' | 'params.yaml']: YamlSource };
  readonly base: { readonly [file in 'operator.yaml' | 'params.yaml']: YamlSource };
  add(
    file: 'operator.yaml' | 'params.yaml',
    path: readonly (string | number)[],
    message: string,
    basePath?: readonly (string | number)[],
  ): void;
}

/**
 * The files of a package that extends another one, with the base's put in: the result is a package like any other. Tasks,
 * templates, plans and patches are added, steps are put before or after steps, parameters are changed, hidden or added.
 */
export function flattenPackage(own: FlattenInput, base: FlattenInput): Flattened {
  const problems: PackageProblem[] = [];
  const sources = readSources(own, base, problems);
  if (sources === undefined) return { ok: false, problems };
  const conflicts: Conflicts = {
    ...sources,
    add(file, path, message, basePath) {
      const there = basePath === undefined ? '' : ` (${base.name}, ${file}:${sources.base[file].lineOf(basePath)})`;
      problems.push(problemAt(file, sources.own[file].lineOf(path), `${message}${there}`));
    },
  };
  const operator = mergeOperator(conflicts, base.name);
  const parameters = mergeParameters(conflicts);
  const templates = mergeTemplates(own, base, problems);
  if (problems.length > 0) return { ok: false, problems };
  const files = new Map<string, string>([
    [OPERATOR_FILE, writeYaml(operator.file)],
    [PARAMS_FILE, writeYaml(parameters.file)],
    ...templates,
  ]);
  return { ok: true, files, added: { ...operator.added, parameters: parameters.own } };
}

function readSources(
  own: FlattenInput,
  base: FlattenInput,
  problems: PackageProblem[],
): Pick<Conflicts, 'own' | 'base'> | undefined {
  const read = ({ files, name }: FlattenInput, file: string): YamlSource => {
    const result = readYamlSource(files.get(file) ?? '');
    if (result.ok) return result.source;
    problems.push(...result.problems.map(({ line, message }) => problemAt(file, line, `${name}: ${message}`)));
    return { value: {}, lineOf: () => 1 };
  };
  const both = (input: FlattenInput) => ({
    [OPERATOR_FILE]: read(input, OPERATOR_FILE),
    [PARAMS_FILE]: read(input, PARAMS_FILE),
  });
  const sources = { own: both(own), base: both(base) } as Pick<Conflicts, 'own' | 'base'>;
  return problems.length > 0 ? undefined : sources;
}

function mergeOperator(
  conflicts: Conflicts,
  baseName: string,
): { file: JsonObject; added: Omit<AddedPlaces, 'parameters'> } {
  const own = objectOf(conflicts.own[OPERATOR_FILE].value);
  const base = objectOf(conflicts.base[OPERATOR_FILE].value);
  const { extends: _extends, steps, tasks: _tasks, plans: _plans, patches: _patches, ...fields } = own;
  const tasks = arrayAt(base, 'tasks');
  const names = new Map(tasks.map((task, index) => [stringAt(task, 'name') ?? '', index]));
  arrayAt(own, 'tasks').forEach((task, index) => {
    const name = stringAt(task, 'name') ?? '';
    const known = names.get(name);
    if (known === undefined) return;
    conflicts.add(OPERATOR_FILE, ['tasks', index], `The base has a task ${name} too. Give yours another name.`, [
      'tasks',
      known,
    ]);
  });
  tasks.forEach((task, index) => {
    const used = stringAt(task, 'spec', 'package') ?? '';
    if (!/^\.{1,2}\//.test(used)) return;
    const message = `The base ${baseName} needs the package ${used} of its own folder, which cannot be extended.`;
    conflicts.add(OPERATOR_FILE, ['extends'], message, ['tasks', index]);
  });
  const plans = objectAt(base, 'plans');
  for (const name of Object.keys(objectAt(own, 'plans'))) {
    if (Object.hasOwn(plans, name)) {
      const message = `The base has a plan ${name} too. Add steps to it with "steps", or give yours another name.`;
      conflicts.add(OPERATOR_FILE, ['plans', name], message, ['plans', name]);
    }
  }
  const file: JsonObject = {
    ...base,
    ...fields,
    tasks: [...tasks, ...arrayAt(own, 'tasks')],
    plans: { ...insertSteps(plans, steps, conflicts), ...objectAt(own, 'plans') },
  };
  const patches = [...arrayAt(base, 'patches'), ...arrayAt(own, 'patches')];
  if (patches.length > 0) file.patches = patches;
  const added = {
    tasks: tasks.length,
    patches: arrayAt(base, 'patches').length,
    plans: new Set(Object.keys(objectAt(own, 'plans'))),
  };
  return { file, added };
}

function mergeTemplates(own: FlattenInput, base: FlattenInput, problems: PackageProblem[]): [string, string][] {
  const isTemplate = ([path]: readonly [string, string]): boolean => path.startsWith('templates/');
  for (const [path] of [...own.files].filter(isTemplate)) {
    if (!base.files.has(path)) continue;
    const message = `The base ${base.name} has the template ${path} too. Change its objects with "patches", or give yours another name.`;
    problems.push(problemAt(path, 1, message));
  }
  return [...[...base.files].filter(isTemplate), ...[...own.files].filter(isTemplate)];
}

function objectOf(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}
