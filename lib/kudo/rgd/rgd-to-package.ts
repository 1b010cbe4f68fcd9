import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { ReadObject } from '@/lib/kudo/live-values/live-values';
import type { ConversionNote } from '@/lib/kudo/manifests/manifests-to-package';
import { writeParams } from '@/lib/kudo/manifests/parameter-list';
import { TemplateSlots } from '@/lib/kudo/manifests/slots';
import { shortFormSchema } from '@/lib/kudo/own-kinds/short-form';
import { KUDO_API_VERSION } from '@/lib/kudo/types';
import { writeYaml } from '@/lib/yaml/yaml';
import { OPERATOR_FILE, PARAMS_FILE, type PackageFiles, type PackageProblem, problemAt } from '../package/types';
import { type ConversionContext, type ConvertedResource, convertResources, namedRead } from './convert-resources';
import { type Rgd, readRgd } from './read-rgd';
import { rewriteCel } from './rewrite-cel';
import { fieldsOf, parameterMapping } from './rgd-fields';
import type { RgdNames } from './rgd-names';
import { splitExpressions } from './split-expressions';

export type RgdConversion =
  | {
      readonly ok: true;
      readonly name: string;
      readonly files: PackageFiles;
      /** What has no counterpart, each with its line. */
      readonly notes: readonly ConversionNote[];
    }
  | { readonly ok: false; readonly problems: readonly PackageProblem[] };

/**
 * Turns a ResourceGraphDefinition of kro into a package: the schema becomes parameters and an own kind, each resource a task with a
 * template, expressions the code of templates, `readyWhen` and `includeWhen` rules, references reads. Phases of the plan deploy are the
 * levels of the graph.
 *
 * @param file for messages
 */
export function rgdToPackage(file: string, text: string): RgdConversion {
  const read = readRgd(file, text);
  if (!read.ok) return read;
  const { rgd } = read;
  const notes: ConversionNote[] = [];
  const check = (path: readonly (string | number)[], message: string) =>
    notes.push({ ...problemAt(file, rgd.lineOf(path), message), level: 'check' });
  const problems = problemsOf(rgd).map(({ path, message }) => problemAt(file, rgd.lineOf(path), message));
  const schema = shortFormSchema(rgd.spec, rgd.types);
  const specPath = ['spec', 'schema', 'spec'];
  problems.push(
    ...schema.problems.map((each) => problemAt(file, rgd.lineOf([...specPath, ...each.path]), each.message)),
  );
  if (problems.length > 0) return { ok: false, problems };
  const { fields, entries } = fieldsOf(schema.schema);
  const names: RgdNames = { fields, ids: new Set(rgd.resources.map(({ id }) => id)) };
  const slots = new TemplateSlots([text]);
  const context: ConversionContext = {
    ...{ rgd, names, slots },
    complain: ({ index }, path, message) => check(['spec', 'resources', index, ...path], message),
  };
  const resources = convertResources(context);
  const levels = levelsOf(resources);
  if (levels === undefined) {
    const message = 'The resources use each other in a circle, so that none can be first.';
    return { ok: false, problems: [problemAt(file, rgd.lineOf(['spec', 'resources']), message)] };
  }
  const status = statusOf(context, check);
  const name = rgd.name.toLowerCase();
  const files = new Map([
    [OPERATOR_FILE, operatorFile(rgd, { name, resources, levels, status, mapping: parameterMapping(fields, entries) })],
    [PARAMS_FILE, writeParams(entries)],
    ...resources.map(({ file: path, value }): [string, string] => [`templates/${path}`, slots.write(value)]),
  ]);
  return { ok: true, name, files, notes };
}

function problemsOf({ resources }: Rgd): { readonly path: readonly (string | number)[]; readonly message: string }[] {
  const seen = new Set<string>();
  return resources.flatMap(({ id, index, template, external }) => {
    const path = ['spec', 'resources', index];
    const isDouble = seen.has(id);
    seen.add(id);
    if (!/^[A-Za-z][A-Za-z0-9]*$/.test(id)) return [{ path, message: `"${id}" is not an id of a resource` }];
    if (isDouble) return [{ path, message: `id "${id}" has a duplicate` }];
    if ((template === undefined) === (external === undefined)) {
      return [{ path, message: `resource "${id}" needs either "template" or "externalRef"` }];
    }
    return [];
  });
}

/** The resources by level: each after those that it uses. Undefined when some use each other in a circle. */
function levelsOf(resources: readonly ConvertedResource[]): (readonly ConvertedResource[])[] | undefined {
  const levels: (readonly ConvertedResource[])[] = [];
  const done = new Set<string>();
  let rest = resources;
  while (rest.length > 0) {
    const level = rest.filter(({ after }) => [...after].every((id) => done.has(id)));
    if (level.length === 0) return undefined;
    levels.push(level);
    for (const { resource } of level) done.add(resource.id);
    rest = rest.filter((each) => !level.includes(each));
  }
  return levels;
}

type Check = (path: readonly (string | number)[], message: string) => void;

interface ConvertedStatus {
  /** Field → expression of an own kind. */
  readonly fields: JsonObject;
  /** The resources that it uses. */
  readonly objects: readonly ReadObject[];
}

function statusOf(context: ConversionContext, check: Check): ConvertedStatus {
  const { rgd, names } = context;
  const ids = new Set<string>();
  const fields = Object.entries(rgd.status).flatMap(([field, value]) => {
    const cel = statusCel(value ?? null, ids, { names, check, path: ['spec', 'schema', 'status', field] });
    return cel === undefined ? [] : [[field, `\${${cel}}`] as const];
  });
  const objects = [...ids].flatMap((id) => namedRead(id, context) ?? []);
  return { fields: Object.fromEntries(fields), objects };
}

interface StatusPlace {
  readonly names: RgdNames;
  readonly check: Check;
  readonly path: readonly (string | number)[];
}

/** One expression for a field, also for one with fields of its own. */
function statusCel(value: JsonValue, ids: Set<string>, place: StatusPlace): string | undefined {
  const below = (key: string | number) => ({ ...place, path: [...place.path, key] });
  if (isJsonObject(value)) {
    const entries = Object.entries(value).flatMap(([key, member]) => {
      const cel = statusCel(member ?? null, ids, below(key));
      return cel === undefined ? [] : [`${JSON.stringify(key)}: ${cel}`];
    });
    return `{${entries.join(', ')}}`;
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  const parts = splitExpressions(value);
  const converted = parts?.map((part) => {
    if ('text' in part) return JSON.stringify(part.text);
    const rewritten = rewriteCel(part.cel, place.names, { schema: 'self' });
    if ('problem' in rewritten) return undefined;
    for (const id of rewritten.ids) ids.add(id);
    return parts.length === 1 ? rewritten.cel : `string(${rewritten.cel})`;
  });
  if (converted === undefined || converted.includes(undefined)) {
    place.check(place.path, `${value} has no counterpart and was left out`);
    return undefined;
  }
  return converted.join(' + ');
}

interface OperatorParts {
  readonly name: string;
  readonly resources: readonly ConvertedResource[];
  readonly levels: readonly (readonly ConvertedResource[])[];
  readonly status: ConvertedStatus;
  readonly mapping: JsonObject;
}

function operatorFile(rgd: Rgd, { name, resources, levels, status, mapping }: OperatorParts): string {
  const tasks = resources.map(({ resource, file, live }) => ({
    name: resource.id,
    kind: 'Apply',
    spec: { resources: [file] },
    ...(live.reads.length === 0 ? {} : { reads: live.reads }),
    ...(live.rules.length === 0 ? {} : { rules: live.rules }),
  }));
  const phases = levels.map((level, index) => ({
    name: levels.length === 1 ? 'deploy' : `level-${index + 1}`,
    strategy: 'parallel',
    steps: level.map(({ resource }) => ({ name: resource.id, tasks: [resource.id] })),
  }));
  return writeYaml({
    apiVersion: KUDO_API_VERSION,
    name,
    description: `Made of the ResourceGraphDefinition ${rgd.name}.`,
    operatorVersion: '0.1.0',
    kubernetesVersion: '1.27.0',
    maintainers: [],
    api: [ownKind(rgd, { status, mapping })],
    tasks,
    plans: { deploy: { strategy: 'serial', phases } },
  });
}

function ownKind(rgd: Rgd, { status, mapping }: Pick<OperatorParts, 'status' | 'mapping'>): JsonObject {
  const { objects } = status;
  const statusSchema = Object.fromEntries(Object.keys(status.fields).map((field) => [field, 'any']));
  const hasStatus = Object.keys(status.fields).length > 0;
  return {
    group: rgd.group,
    kind: rgd.kind,
    versions: [
      {
        name: rgd.version,
        schema: {
          spec: rgd.spec,
          ...(Object.keys(rgd.types).length === 0 ? {} : { types: rgd.types }),
          ...(hasStatus ? { status: statusSchema } : {}),
        },
        ...(rgd.columns.length === 0 ? {} : { printerColumns: [...rgd.columns] }),
      },
    ],
    instance: { parameters: mapping },
    ...(objects.length === 0 ? {} : { objects: objects as unknown as JsonValue }),
    ...(hasStatus ? { status: status.fields } : {}),
  };
}
