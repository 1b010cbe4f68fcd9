import { Command } from 'commander';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { defaultText } from '@/lib/kudo/package/default-text';
import { parameterOf } from '@/lib/kudo/package/to-objects';
import type { OperatorPackage, PackageParameter } from '@/lib/kudo/package/types';
import type { Task } from '@/lib/kudo/types';
import { formatTable, formatTree, type Tree } from './support/output';
import { findPackageArgument, onlyArgument, type PackageFlags } from './support/packages';
import { printLine } from './support/print-line';

/** `bravo package list parameters|plans|tasks REF`. */
export function packageListCommand(): Command {
  return new Command('list')
    .description('List parameters, plans or tasks of a package')
    .addCommand(listing('parameters', listParameters, withParameterFlags))
    .addCommand(
      listing('plans', listPlans, (command) => command.option('-t, --with-tasks', 'show the details of tasks')),
    )
    .addCommand(listing('tasks', listTasks, (command) => command));
}

interface ListFlags extends PackageFlags {
  readonly descriptions?: boolean;
  readonly required?: boolean;
  readonly names?: boolean;
  readonly withTasks?: boolean;
}

type Show = (pkg: OperatorPackage, flags: ListFlags) => string;

function listing(what: string, show: Show, withFlags: (command: Command) => Command): Command {
  const command = new Command(what)
    .description(`List the ${what} of a package`)
    .argument('[package...]')
    .option('--app-version <version>', 'version of the application')
    .option('--operator-version <version>', 'version of the operator')
    .option('--repo <name>', 'look the package up in this repository of the list (bravo repo list)');
  return withFlags(command).action(async (words: string[], _flags: unknown, self: Command) => {
    const flags = self.optsWithGlobals<ListFlags>();
    const name =
      words.length === 0 && what === 'parameters'
        ? './'
        : onlyArgument(words, `expecting exactly one argument - name of the package or path to list ${what} from`);
    const { loaded } = await findPackageArgument(name, flags).catch((error: unknown) => {
      const message = `failed to resolve package files for operator: ${name}: ${messageOf(error)}`;
      throw new TerminalError(message, 'PackageNotFound', { cause: error });
    });
    printLine(show(loaded.package, flags));
  });
}

function withParameterFlags(command: Command): Command {
  return command
    .option('-d, --descriptions', 'show descriptions')
    .option('-r, --required', 'only required parameters without a default')
    .option('--names', 'only names');
}

/** Cells with more characters are wrapped. */
const MAX_CELL = 35;

function listParameters({ parameters }: OperatorPackage, flags: ListFlags): string {
  const chosen = [flags.required, flags.names, flags.descriptions].filter((flag) => flag === true);
  if (chosen.length > 1) {
    throw new TerminalError("only one of the flags 'required', 'names', 'descriptions' can be set", 'InvalidArguments');
  }
  const sorted = [...parameters].sort((a, b) => (a.name < b.name ? -1 : 1));
  if (flags.names === true) return formatTable([['Name'], ...sorted.map(({ name }) => [name])], MAX_CELL);
  if (flags.required === true) {
    const missing = sorted.filter((parameter) => parameter.required && parameterOf(parameter).default === undefined);
    if (missing.length === 0) return 'no required parameters without default values found';
    return formatTable([['Name'], ...missing.map(({ name }) => [name])], MAX_CELL);
  }
  const heading = ['Name', 'Default', 'Required', 'Immutable'];
  const row = (parameter: PackageParameter): string[] => [
    parameter.name,
    parameter.default === undefined ? '' : defaultText(parameter.default, parameter.type),
    String(parameter.required),
    String(parameter.immutable),
  ];
  if (flags.descriptions !== true) return formatTable([heading, ...sorted.map(row)], MAX_CELL);
  const rows = sorted.map((parameter) => [...row(parameter), parameter.description ?? '']);
  return formatTable([[...heading, 'Descriptions'], ...rows], MAX_CELL);
}

function listPlans({ operator }: OperatorPackage, flags: ListFlags): string {
  const plans = Object.entries(operator.plans).sort(([a], [b]) => (a < b ? -1 : 1));
  if (plans.length === 0) return 'no plans found';
  const children = plans.map(([name, plan]) => ({
    value: `${name} (${plan.strategy ?? ''})`,
    children: (plan.phases ?? []).map((phase) => ({
      value: `[phase]  ${phase.name} (${phase.strategy ?? ''})`,
      children: (phase.steps ?? []).map((step) => ({
        value: `[step]  ${step.name}`,
        children: (step.tasks ?? []).map((task) =>
          flags.withTasks === true ? taskTree(task, operator.tasks) : { value: task },
        ),
      })),
    })),
  }));
  return formatTree({ value: 'plans', children });
}

function taskTree(name: string, tasks: readonly Task[]): Tree {
  const task = tasks.find((each) => each.name === name);
  const spec = task?.spec ?? {};
  const leaves = (spec.resources ?? []).map((value) => ({ value }));
  const value = `[${task?.kind.toLowerCase() ?? 'unknown'}]  ${name}`;
  if (task?.kind === 'Toggle')
    return { value, children: [{ value: `[parameter]  ${spec.parameter ?? ''}` }, ...leaves] };
  if (task?.kind === 'Pipe') return { value, children: [{ value: spec.pod ?? '' }] };
  return { value, children: leaves };
}

function listTasks({ operator }: OperatorPackage): string {
  if (operator.tasks.length === 0) return 'no tasks  found';
  const rows = operator.tasks.map(({ name, kind, spec = {} }) => {
    const resources = kind === 'Pipe' ? (spec.pod ?? '') : `[${(spec.resources ?? []).join(' ')}]`;
    return [name, kind, resources];
  });
  return formatTable([['Name', 'Kind', 'Resources'], ...rows]);
}
