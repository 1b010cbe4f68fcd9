import { Command, CommanderError, Option } from 'commander';
import { BravoError } from '@/lib/errors/errors';
import { productVersion } from '@/server/runtime/root';
import { type WaitFlags, waitTimeMs } from './support/wait-flags';
import { asFlagWords, firstVerb, startsProgram } from './support/words';
import { loadVerbs } from './verbs';

/** KUDO's program ends with -1 on every error, and so do its verbs here. Servers end with 1. */
const VERB_FAILED = 255;
const SERVER_FAILED = 1;

/**
 * The `bravo` command. It accepts the verbs, flags and forms of `kubectl kudo` (docs/guide/command-line.md).
 *
 * @param argv the words after the program's name
 * @param calledAs the name it was called by: a link such as `kubectl-kudo` gives it another one
 */
export async function main(argv: readonly string[], calledAs = 'bravo'): Promise<void> {
  const isServer = startsProgram(argv);
  const program = new Command(calledAs)
    .description('Declarative operators for Kubernetes: install packages, run their plans, open the console.')
    .option('--kubeconfig <file>', 'kubeconfig of the cluster (default: KUBECONFIG, then ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig');
  // `init` and `repo mirror` have a flag of that name.
  if (!['init', 'repo'].includes(firstVerb(argv)))
    program.version(`${calledAs} version ${productVersion}`, '--version', 'print the version');
  if (!isServer) addGlobalFlags(program);
  for (const verb of await loadVerbs(firstVerb(argv), argv)) program.addCommand(verb);
  const switches = new Set<string>();
  eachCommand(program, (command) => {
    command.exitOverride().configureOutput({ outputError: () => undefined });
    command.configureHelp({ showGlobalOptions: true });
    for (const option of command.options) {
      if (option.isBoolean()) for (const flag of [option.short, option.long]) if (flag) switches.add(flag);
    }
    if (command !== program && command.commands.length > 0) showHelpAlone(command);
  });
  // An invalid flag is an error before anything is done.
  program.hook('preAction', (_program, verb) => void waitTimeMs(verb.opts<WaitFlags>()));
  try {
    await program.parseAsync(isServer ? argv : asFlagWords(argv, switches), { from: 'user' });
  } catch (error) {
    const message = messageFor(error, calledAs);
    if (message === undefined) return;
    process.stderr.write(`Error: ${message}\n`);
    process.exitCode = isServer ? SERVER_FAILED : VERB_FAILED;
  }
}

/** KUDO's global flags; they may stand before and after the verb. */
function addGlobalFlags(program: Command): void {
  program
    .option('-n, --namespace <name>', "namespace (default: the context's)")
    .option('--home <folder>', 'folder of the list of repositories (default: KUDO_HOME, then ~/.kudo)')
    .option('--request-timeout <seconds>', 'longest time to wait for an answer of the API; 0: the built-in limits', '0')
    .option('-v, --v <level>', 'log on standard error: 4 each request, 8 also its body', '0')
    .addOption(new Option('--validate-install [yes]', 'name the missing CRDs when a verb fails').default('true'));
}

/** A group without a verb, or with an unknown one, prints its help and succeeds. */
function showHelpAlone(group: Command): void {
  group.argument('[arguments...]').action(() => group.outputHelp());
}

function eachCommand(command: Command, act: (command: Command) => void): void {
  act(command);
  for (const child of command.commands) eachCommand(child, act);
}

/** The sentence of an error; undefined for help and version, which end this way too. */
function messageFor(error: unknown, calledAs: string): string | undefined {
  if (error instanceof BravoError) return error.message;
  if (!(error instanceof CommanderError))
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error.exitCode === 0 || error.code === 'commander.help') return undefined;
  const named = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  switch (error.code) {
    case 'commander.missingMandatoryOptionValue':
      return `required flag(s) "${/--([a-z-]+)/.exec(named)?.[1] ?? named}" not set`;
    case 'commander.unknownOption':
      return `${named.startsWith('--') ? 'unknown flag' : 'unknown shorthand flag'}: ${named}`;
    case 'commander.optionMissingArgument':
      return `flag needs an argument: ${/--[a-z-]+/.exec(named)?.[0] ?? named}`;
    case 'commander.unknownCommand': {
      const close = /\(Did you mean .*\?\)/.exec(error.message)?.[0];
      return `unknown command "${named}" for "${calledAs}"${close === undefined ? '' : ` ${close}`}\nRun '${calledAs} --help' for usage.`;
    }
    default:
      return error.message.replace(/^error: /, '');
  }
}
