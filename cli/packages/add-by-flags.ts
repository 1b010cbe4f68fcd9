import { TerminalError } from '@/lib/errors/errors';
import type { JsonObject } from '@/lib/json/json';
import { readYaml } from '@/lib/yaml/yaml';

/** Flags of `package add parameter`; all but the name are optional. */
export interface ParameterEntryFlags {
  readonly default?: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly type?: string;
  readonly trigger?: string;
  readonly group?: string;
  readonly hint?: string;
  readonly enum?: string;
  readonly optional?: boolean;
  readonly immutable?: boolean;
  readonly advanced?: boolean;
  readonly secret?: boolean;
}

const TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'map'];

/**
 * An entry of `parameters` in params.yaml. Lists and maps are read as YAML, so that the file has the list and not its text.
 * @throws TerminalError for an unknown type and a default that is not of the type
 */
export function parameterEntry(name: string, flags: ParameterEntryFlags): JsonObject {
  const { type } = flags;
  if (type !== undefined && !TYPES.includes(type)) {
    throw refused(`"${type}" is not a type of a parameter. Use one of ${TYPES.join(', ')}.`);
  }
  const entry: JsonObject = { name };
  if (type !== undefined) entry.type = type;
  if (flags.default !== undefined) entry.default = typedDefault(flags.default, type);
  for (const key of ['displayName', 'description', 'hint', 'group', 'trigger'] as const) {
    const text = flags[key];
    if (text !== undefined) entry[key] = text;
  }
  if (flags.enum !== undefined) entry.enum = flags.enum.split(',').map((each) => typedDefault(each, type));
  if (flags.optional === true) entry.required = false;
  for (const key of ['immutable', 'advanced', 'secret'] as const) if (flags[key] === true) entry[key] = true;
  return entry;
}

function typedDefault(text: string, type: string | undefined) {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (type !== 'array' && type !== 'map') return text;
  const read = readYaml(text);
  const isFit = read.ok && typeof read.value === 'object' && read.value !== null;
  if (!isFit || Array.isArray(read.value) !== (type === 'array')) {
    throw refused(`The default "${text}" is not YAML of type ${type}. Write for example ${EXAMPLES[type]}.`);
  }
  return read.value;
}

const EXAMPLES = { array: "'[a, b]'", map: "'{a: 1}'" };

/** Flags of `package add task`. */
export interface TaskFlags {
  readonly kind?: string;
  readonly resources?: string;
  readonly parameter?: string;
  readonly pod?: string;
  readonly pipe: readonly string[];
  readonly package?: string;
  readonly instanceName?: string;
  readonly parameterFile?: string;
}

/** A task as operator.yaml has it, and the templates that it names. @throws TerminalError when a flag is missing */
export function taskEntry(
  name: string,
  flags: TaskFlags,
  fileName: (answer: string) => string,
): { task: JsonObject; files: string[] } {
  const resources = list(flags.resources).map(fileName);
  const kind = flags.kind ?? 'Apply';
  switch (kind) {
    case 'Apply':
    case 'Delete':
    case 'Toggle': {
      if (resources.length === 0) throw refused(`A task of kind ${kind} needs --resources FILE,….`);
      const parameter = kind === 'Toggle' ? { parameter: needed(flags.parameter, 'Toggle', '--parameter NAME') } : {};
      return { task: { name, kind, spec: { ...parameter, resources } }, files: resources };
    }
    case 'Pipe': {
      const pod = fileName(needed(flags.pod, kind, '--pod FILE'));
      if (flags.pipe.length === 0) throw refused('A task of kind Pipe needs --pipe FILE=Secret:KEY.');
      return { task: { name, kind, spec: { pod, pipe: flags.pipe.map(pipeEntry) } }, files: [pod] };
    }
    case 'KudoOperator': {
      const spec: JsonObject = { package: needed(flags.package, kind, '--package NAME') };
      if (flags.instanceName !== undefined) spec.instanceName = flags.instanceName;
      if (flags.parameterFile === undefined) return { task: { name, kind, spec }, files: [] };
      spec.parameterFile = fileName(flags.parameterFile);
      return { task: { name, kind, spec }, files: [spec.parameterFile] };
    }
    case 'Dummy':
      return { task: { name, kind, spec: { done: true } }, files: [] };
    default:
      throw refused(`"${kind}" is not a kind of a task. Use Apply, Delete, Toggle, Pipe, KudoOperator or Dummy.`);
  }
}

function pipeEntry(text: string): JsonObject {
  const match = /^(.+)=(Secret|ConfigMap):(.+)$/.exec(text);
  if (match === null) throw refused(`--pipe ${text} is not of the form FILE=Secret:KEY or FILE=ConfigMap:KEY.`);
  const [, file = '', kind = '', key = ''] = match;
  return { file, kind, key };
}

/**
 * A plan of steps `PHASE/STEP=TASK,…`; steps of a phase that was named before are added to it.
 * @throws TerminalError for a step of another form, or with a task that does not exist
 */
export function planEntry(
  { strategy, step: steps }: { readonly strategy: string; readonly step: readonly string[] },
  tasks: ReadonlySet<string>,
): JsonObject {
  if (strategy !== 'serial' && strategy !== 'parallel') throw refused('--strategy must be serial or parallel.');
  const phases = new Map<string, JsonObject[]>();
  for (const text of steps) {
    const match = /^([^/=]+)\/([^/=]+)=(.+)$/.exec(text);
    if (match === null) throw refused(`--step ${text} is not of the form PHASE/STEP=TASK,TASK.`);
    const [, phase = '', name = '', named = ''] = match;
    const missing = list(named).find((task) => !tasks.has(task));
    if (missing !== undefined) {
      throw refused(`There is no task ${missing}. Add it first: bravo package add task ${missing} --resources FILE.`);
    }
    phases.set(phase, [...(phases.get(phase) ?? []), { name, tasks: list(named) }]);
  }
  if (phases.size === 0) throw refused('A plan needs at least one --step PHASE/STEP=TASK.');
  return { strategy, phases: [...phases].map(([name, each]) => ({ name, strategy, steps: each })) };
}

function list(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function needed(value: string | undefined, kind: string, flag: string): string {
  if (value === undefined || value === '') throw refused(`A task of kind ${kind} needs ${flag}.`);
  return value;
}

function refused(message: string): TerminalError {
  return new TerminalError(message, 'InvalidArguments');
}
