import type { KindSummary } from '@/lib/kube/kinds';
import { parseApiVersion } from '@/lib/kube/object';
import type { PackageFiles } from '@/lib/kudo/package/types';
import { parameterSchemaOf } from '@/lib/kudo/parameters/parameter-schema';
import { parametersOf } from '@/lib/kudo/parameters/parameters';
import type { OperatorVersion } from '@/lib/kudo/types';
import type { SchemaOf } from '@/lib/yaml/lint-yaml';
import type { NameSource } from './package-schema';

/** A name with what it means. */
export interface KnownName {
  readonly name: string;
  /** In a word: a type, a kind. */
  readonly detail: string;
  readonly description: string;
}

/** What completion and hover know: of the package, of the templates' language, of the cluster. */
export interface Knowledge {
  readonly names: { readonly [source in NameSource]: readonly KnownName[] };
  /** Keys of pipes: `.Pipes.KEY`. */
  readonly pipes: readonly KnownName[];
  /** Names of the functions of templates. */
  readonly functions: readonly string[];
  /** Kinds that the cluster serves; empty while they are read. */
  readonly kinds: readonly Pick<KindSummary, 'group' | 'version' | 'kind'>[];
  readonly schemaOf: SchemaOf;
}

const plainName = (name: string, detail = ''): KnownName => ({ name, detail, description: '' });

/** The names in a package, of the version that could be read last. */
export function packageNames(
  version: OperatorVersion | undefined,
  files: PackageFiles,
): Pick<Knowledge, 'names' | 'pipes'> {
  const { tasks = [], plans = {} } = version?.spec ?? {};
  const schema = version === undefined ? undefined : parameterSchemaOf(version);
  const parameters = version === undefined ? [] : parametersOf(version);
  return {
    names: {
      templates: [...files.keys()]
        .filter((path) => path.startsWith('templates/') && path.endsWith('.yaml'))
        .map((path) => plainName(path.slice('templates/'.length), 'template')),
      tasks: tasks.map(({ name, kind }) => plainName(name, kind)),
      plans: Object.keys(plans ?? {}).map((name) => plainName(name, 'plan')),
      parameters: parameters.map(({ name, description = '', 'value-type': type = 'string', default: value }) => ({
        name,
        detail: value === undefined ? type : `${type}, default ${shorten(value) || 'empty'}`,
        description,
      })),
      groups: (schema?.groups ?? []).map(({ name, displayName = '', description = '' }) => ({
        name,
        detail: displayName,
        description,
      })),
    },
    pipes: tasks.flatMap(({ name, spec }) =>
      (spec?.pipe ?? []).map(({ key = '', kind = '' }) => ({
        name: key,
        detail: kind,
        description: `The name of the ${kind} that task ${name} makes.`,
      })),
    ),
  };
}

/** `apps/v1` of every kind of that name; all apiVersions without one. Each once, in the order of the kinds. */
export function apiVersionsOf(kinds: Knowledge['kinds'], kind: string | undefined): string[] {
  const fitting = kinds.filter((each) => kind === undefined || each.kind === kind);
  return [...new Set(fitting.map(({ group, version }) => (group === '' ? version : `${group}/${version}`)))];
}

/** The names of the kinds of an apiVersion; of all without one. */
export function kindsOf(kinds: Knowledge['kinds'], apiVersion: string | undefined): string[] {
  if (apiVersion === undefined) return [...new Set(kinds.map(({ kind }) => kind))];
  const { group } = parseApiVersion(apiVersion);
  return [...new Set(kinds.filter((each) => each.group === group).map(({ kind }) => kind))];
}

const LONGEST = 40;

function shorten(text: string): string {
  const line = text.trim().replace(/\s*\n\s*/g, ', ');
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}
