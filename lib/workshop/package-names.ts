import type { PackageFiles } from '@/lib/kudo/package/types';
import { parameterSchemaOf } from '@/lib/kudo/parameters/parameter-schema';
import { parametersOf } from '@/lib/kudo/parameters/parameters';
import type { OperatorVersion } from '@/lib/kudo/types';
import type { KnownKinds } from '@/lib/yaml/complete/object-suggestions';
import type { NameSource } from './package-schema';

/** A name with what it means. */
export interface KnownName {
  readonly name: string;
  /** In a word: a type, a kind. */
  readonly detail: string;
  readonly description: string;
}

/** What completion and hover know: of the package, of the templates' language, of the cluster. */
export interface Knowledge extends KnownKinds {
  readonly names: { readonly [source in NameSource]: readonly KnownName[] };
  /** Keys of pipes: `.Pipes.KEY`. */
  readonly pipes: readonly KnownName[];
  /** Names of the functions of templates. */
  readonly functions: readonly string[];
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

const LONGEST = 40;

function shorten(text: string): string {
  const line = text.trim().replace(/\s*\n\s*/g, ', ');
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}
