import { SECRET_MARK } from '@/lib/live/secret-mark';
import { parameterProblems } from '../parameters/parameter-problems';
import { secretParameters } from '../parameters/parameters';
import { parameterSourceOf, sourceWords } from '../sources/parameter-source';
import type { Instance, OperatorVersion, Parameter } from '../types';
import { movedInstance } from './moved-instance';

/** A parameter that an upgrade adds, removes or changes. Secret values are masked; undefined is unset. */
export interface ParameterRow {
  readonly name: string;
  /** `value`: the default changes, or the definition does. */
  readonly change: 'added' | 'removed' | 'changed';
  /** The default of the installed version. */
  readonly defaultBefore: string | undefined;
  /** What the Instance has now: its own value, the default, or `from Secret NAME (KEY)`. */
  readonly now: string | undefined;
  /** What it has afterwards. */
  readonly next: string | undefined;
  /** The Instance has a value of its own, or a source. */
  readonly isOwn: boolean;
  /** What of the definition differs, in words: `type integer instead of string`. */
  readonly notes: readonly string[];
  /** Why the value does not fit the new version. */
  readonly problem: string | undefined;
}

/**
 * The parameters that differ between the version of an Instance and another one, in the order of the new version, removed ones last.
 *
 * @param given values that go with the upgrade; null takes the Instance's own value away
 */
export function parameterRows(
  instance: Instance,
  current: OperatorVersion,
  target: OperatorVersion,
  given: { readonly [name: string]: string | null } = {},
): ParameterRow[] {
  const before = new Map((current.spec?.parameters ?? []).map((parameter) => [parameter.name, parameter]));
  const after = new Map((target.spec?.parameters ?? []).map((parameter) => [parameter.name, parameter]));
  const secrets = new Set([...secretParameters(current), ...secretParameters(target)]);
  const next = movedInstance(instance, target, given);
  const problems = new Map(problemsOf(target, next).map(({ path, message }) => [path, message]));
  const names = [...after.keys(), ...[...before.keys()].filter((name) => !after.has(name))];
  return names.flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    const problem = problems.get(name);
    const notes = was === undefined || is === undefined ? [] : definitionNotes(was, is, secrets.has(name));
    if (
      was !== undefined &&
      is !== undefined &&
      notes.length === 0 &&
      problem === undefined &&
      given[name] === undefined
    ) {
      return [];
    }
    const mask = (text: string | undefined) =>
      text === undefined || text === '' || !secrets.has(name) ? text : SECRET_MARK;
    return [
      {
        name,
        change: was === undefined ? 'added' : is === undefined ? 'removed' : 'changed',
        defaultBefore: mask(was?.default),
        now: was === undefined ? undefined : valueIn(instance, was, mask),
        next: is === undefined ? undefined : valueIn(next, is, mask),
        isOwn:
          Object.hasOwn(instance.spec?.parameters ?? {}, name) || parameterSourceOf(instance.spec, name) !== undefined,
        notes,
        problem,
      } as const,
    ];
  });
}

/** Values that the version does not accept, sources aside: the controller checks those. */
export function problemsOf(version: OperatorVersion, { spec }: Instance): { path: string; message: string }[] {
  return parameterProblems(version, spec?.parameters ?? {}).filter(
    ({ path }) => parameterSourceOf(spec, path) === undefined,
  );
}

function valueIn(
  { spec }: Instance,
  { name, default: fallback }: Parameter,
  mask: (text: string | undefined) => string | undefined,
): string | undefined {
  const source = parameterSourceOf(spec, name);
  if (source !== undefined) return `from ${sourceWords(source)}`;
  const values = spec?.parameters ?? {};
  return mask(Object.hasOwn(values, name) ? values[name] : fallback);
}

function definitionNotes(was: Parameter, is: Parameter, isSecret: boolean): string[] {
  const note = (what: string, a: string, b: string) => (a === b ? [] : [`${what} ${b} instead of ${a}`]);
  const list = (members: readonly string[] | null | undefined) => (members ?? []).join(', ') || 'any value';
  const fallback = ({ default: text }: Parameter) =>
    text === undefined || text === null ? 'none' : text === '' ? '""' : text;
  const defaults =
    isSecret && fallback(was) !== fallback(is) ? ['another default'] : note('default', fallback(was), fallback(is));
  return [
    ...defaults,
    ...note('type', was['value-type'] ?? 'string', is['value-type'] ?? 'string'),
    ...note('allowed values', list(was.enum), list(is.enum)),
    ...(was.required !== true && is.required === true ? ['now required'] : []),
    ...(was.required === true && is.required !== true ? ['no longer required'] : []),
    ...(was.immutable !== true && is.immutable === true ? ['now immutable'] : []),
    ...note('trigger', was.trigger || 'default', is.trigger || 'default'),
  ];
}
