import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import type { JsonObject } from '@/lib/json/json';
import { DEPLOY_PLAN } from '@/lib/kudo/names';
import { OPERATOR_FILE, PARAMS_FILE } from '@/lib/kudo/package/types';
import { loadPackage } from '@/server/packages/loaded-package';
import {
  type ParameterEntryFlags,
  parameterEntry,
  planEntry,
  type TaskFlags,
  taskEntry,
} from './packages/add-by-flags';
import { addToFile, findOperatorFolder, pathExists } from './support/operator-folder';
import { type Prompter, withPrompter } from './support/prompter';

const EMAIL = /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9-]+)*$/;
const STRATEGIES = ['serial', 'parallel'] as const;
const TASK_KINDS = ['Apply', 'Delete', 'Pipe', 'Toggle'] as const;

/** `bravo package add maintainer|parameter|task|plan`: adds what its flags or the answers of a person say to the files of a package. */
export function packageAddCommand(): Command {
  return new Command('add')
    .description('Extend the package in the working folder or in the only folder below it')
    .addCommand(maintainerCommand())
    .addCommand(parameterCommand())
    .addCommand(taskCommand())
    .addCommand(planCommand());
}

function maintainerCommand(): Command {
  return new Command('maintainer')
    .description('Add a maintainer')
    .argument('[name and email...]')
    .option('-i, --interactive', 'ask for name and email, as without arguments')
    .action(async (words: string[]) => {
      const [name, email] = words;
      if (words.length !== 0 && words.length !== 2) {
        throw new TerminalError('expecting two arguments - name and email address', 'InvalidArguments');
      }
      const folder = await findOperatorFolder();
      const maintainer =
        name === undefined || email === undefined ? await withPrompter(askMaintainer) : { name, email };
      await addToFile(join(folder, OPERATOR_FILE), ['maintainers'], maintainer);
    });
}

function parameterCommand(): Command {
  return adding('parameter')
    .option('--default <value>', 'default; YAML for the types array and map')
    .option('--type <type>', 'string, integer, number, boolean, array or map')
    .option('--display-name <text>', 'title in forms')
    .option('--description <text>', 'what the parameter does')
    .option('--hint <text>', 'help below the field')
    .option('--group <name>', 'group of params.yaml')
    .option('--trigger <plan>', 'plan that a change starts')
    .option('--enum <values>', 'the allowed values, separated by commas')
    .option('--optional', 'no value is required')
    .option('--immutable', 'the value cannot be changed after the install')
    .option('--advanced', 'forms hide the parameter at first')
    .option('--secret', 'the value is masked wherever it is shown')
    .action(
      byNameOrAsking(addParameter, async (folder, name, flags: ParameterEntryFlags) => {
        const { parameters } = (await loadPackage(folder)).package;
        refuse(unique(parameters.map((each) => each.name))(name));
        await addToFile(join(folder, PARAMS_FILE), ['parameters'], parameterEntry(name, flags));
      }),
    );
}

function taskCommand(): Command {
  const collect = (each: string, before: string[]) => [...before, each];
  return adding('task')
    .option('--kind <kind>', 'Apply (default), Delete, Toggle, Pipe, KudoOperator or Dummy')
    .option('--resources <files>', 'templates, separated by commas; missing files are created')
    .option('--parameter <name>', 'Toggle: the parameter')
    .option('--pod <file>', 'Pipe: the template of the pod')
    .option('--pipe <FILE=Secret:KEY>', 'Pipe: a file of the pod and where it goes; may be repeated', collect, [])
    .option('--package <name>', 'KudoOperator: the package')
    .option('--instance-name <name>', 'KudoOperator: the name of the Instance')
    .option('--parameter-file <file>', 'KudoOperator: the template with its parameters')
    .action(
      byNameOrAsking(addTask, async (folder, name, flags: TaskFlags) => {
        const { operator } = (await loadPackage(folder)).package;
        refuse(unique(operator.tasks.map((each) => each.name))(name));
        const { task, files } = taskEntry(name, flags, asFileName);
        for (const file of files) await ensureTemplate(folder, file);
        await addToFile(join(folder, OPERATOR_FILE), ['tasks'], task);
      }),
    );
}

function planCommand(): Command {
  const collect = (each: string, before: string[]) => [...before, each];
  return adding('plan')
    .option('--strategy <strategy>', 'serial or parallel', 'serial')
    .option('--step <PHASE/STEP=TASKS>', 'a step and its tasks, separated by commas; may be repeated', collect, [])
    .action(
      byNameOrAsking(addPlan, async (folder, name, flags: { strategy: string; step: string[] }) => {
        const { operator } = (await loadPackage(folder)).package;
        refuse(unique(Object.keys(operator.plans))(name));
        const plan = planEntry(flags, new Set(operator.tasks.map((each) => each.name)));
        await addToFile(join(folder, OPERATOR_FILE), ['plans', name], plan);
      }),
    );
}

function adding(what: string): Command {
  return new Command(what)
    .description(`Add a ${what}; without a name the command asks for its fields`)
    .argument('[name]')
    .option('-i, --interactive', 'ask for the fields, as without a name');
}

/** With a name the flags say everything; without one the command asks. */
function byNameOrAsking<F>(
  ask: (prompter: Prompter, folder: string) => Promise<void>,
  add: (folder: string, name: string, flags: F) => Promise<void>,
): (name: string | undefined, flags: F & { readonly interactive?: boolean }) => Promise<void> {
  return async (name, flags) => {
    const folder = await findOperatorFolder();
    if (name === undefined || flags.interactive === true) await withPrompter((prompter) => ask(prompter, folder));
    else await add(folder, name, flags);
  };
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new TerminalError(problem, 'InvalidArguments');
}

/** Name and address of a maintainer. */
export async function askMaintainer(prompter: Prompter): Promise<{ name: string; email: string }> {
  const name = await prompter.ask({ text: 'Maintainer Name', check: notEmpty });
  const email = await prompter.ask({
    text: 'Maintainer Email',
    check: (answer) => (EMAIL.test(answer) ? undefined : 'maintainer email must be valid email address'),
  });
  return { name, email };
}

async function addParameter(prompter: Prompter, folder: string): Promise<void> {
  const { parameters, operator } = (await loadPackage(folder)).package;
  const name = await prompter.ask({ text: 'Parameter Name', check: unique(parameters.map((each) => each.name)) });
  const entry: JsonObject = { name };
  for (const [text, key] of [
    ['Default Value', 'default'],
    ['Display Name', 'displayName'],
    ['Description', 'description'],
  ] as const) {
    const answer = await prompter.ask({ text });
    if (answer !== '') entry[key] = answer;
  }
  entry.required = (await prompter.choose('Required', ['false', 'true'])) === 'true';
  if (await prompter.confirm('Add Trigger Plan (defaults to deploy)')) {
    const plans = Object.keys(operator.plans);
    entry.trigger = await prompter.ask({ text: `Trigger Plan (${plans.join(', ')} or a new one)`, check: notEmpty });
  }
  await addToFile(join(folder, PARAMS_FILE), ['parameters'], entry);
}

async function addTask(prompter: Prompter, folder: string): Promise<void> {
  const { operator } = (await loadPackage(folder)).package;
  const check = unique(operator.tasks.map((task) => task.name));
  await createTask(prompter, folder, await prompter.ask({ text: 'Task Name', check }));
}

async function createTask(prompter: Prompter, folder: string, name: string): Promise<void> {
  const kind = await prompter.choose('Task Kind', TASK_KINDS);
  const spec = kind === 'Pipe' ? await askPipe(prompter) : await askResources(prompter, kind);
  for (const file of spec.files) await ensureTemplate(folder, file);
  await addToFile(join(folder, OPERATOR_FILE), ['tasks'], { name, kind, spec: spec.value });
}

interface AskedSpec {
  readonly value: JsonObject;
  /** The templates that the spec names. */
  readonly files: readonly string[];
}

async function askResources(prompter: Prompter, kind: string): Promise<AskedSpec> {
  const value: JsonObject = {};
  if (kind === 'Toggle') value.parameter = await prompter.ask({ text: 'Parameter', check: notEmpty });
  const files: string[] = [];
  for await (const file of prompter.each('Task Resource')) files.push(asFileName(file));
  return { value: { ...value, resources: files }, files };
}

async function askPipe(prompter: Prompter): Promise<AskedSpec> {
  const pod = asFileName(await prompter.ask({ text: 'Pod file', check: notEmpty }));
  const pipe: JsonObject[] = [];
  for await (const file of prompter.each('Pipe File')) {
    const kind = await prompter.choose(`Kind of ${file}`, ['ConfigMap', 'Secret']);
    pipe.push({ file, kind, key: await prompter.ask({ text: `Key of ${file}`, check: notEmpty }) });
  }
  return { value: { pod, pipe }, files: [pod] };
}

async function addPlan(prompter: Prompter, folder: string): Promise<void> {
  const { operator } = (await loadPackage(folder)).package;
  const plans = Object.keys(operator.plans);
  const otherwise = plans.length === 0 ? DEPLOY_PLAN : '';
  const name = await prompter.ask({ text: 'Plan Name', otherwise, check: unique(plans) });
  const strategy = await prompter.choose('Plan Strategy', STRATEGIES);
  const known = new Set(operator.tasks.map((task) => task.name));
  const phases: JsonObject[] = [];
  for await (const phase of prompter.each('Phase Name')) {
    const phaseStrategy = await prompter.choose(`Strategy of ${phase}`, STRATEGIES);
    const steps: JsonObject[] = [];
    for await (const step of prompter.each(`Step of ${phase}`)) {
      const tasks: string[] = [];
      for await (const task of prompter.each(`Task of ${step} (existing: ${[...known].join(', ') || 'none'})`)) {
        tasks.push(task);
        if (known.has(task)) continue;
        process.stdout.write(`The task ${task} is new.\n`);
        await createTask(prompter, folder, task);
        known.add(task);
      }
      steps.push({ name: step, tasks });
    }
    phases.push({ name: phase, strategy: phaseStrategy, steps });
  }
  await addToFile(join(folder, OPERATOR_FILE), ['plans', name], { strategy, phases });
}

async function ensureTemplate(folder: string, file: string): Promise<void> {
  const path = join(folder, 'templates', file);
  if (await pathExists(path)) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '');
}

/** A name without a dot gets `.yaml`. The file must be below `templates`. */
function asFileName(answer: string): string {
  if (answer.split('/').includes('..') || answer.startsWith('/')) {
    throw new TerminalError(`${answer} is not a file below templates`, 'InvalidArguments');
  }
  return answer.includes('.') ? answer : `${answer}.yaml`;
}

function notEmpty(answer: string): string | undefined {
  return answer === '' ? 'the answer must not be empty' : undefined;
}

function unique(names: readonly string[]): (answer: string) => string | undefined {
  return (answer) => notEmpty(answer) ?? (names.includes(answer) ? `${answer} already exists` : undefined);
}
