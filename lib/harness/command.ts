import type { SuiteFields } from './fields';
import { splitWords } from './split-words';

/** A command of a suite, a step or an assert (KUTTL apis testharness/v1beta1 Command). */
export interface HarnessCommand {
  readonly command: string;
  readonly script: string;
  readonly namespaced: boolean;
  readonly ignoreFailure: boolean;
  readonly background: boolean;
  readonly skipLogOutput: boolean;
  /** Seconds; 0: the suite's, below 0: none. */
  readonly timeout: number;
}

/** A program with its words, as it is started. */
export interface CommandProgram {
  readonly program: string;
  readonly args: readonly string[];
  /** How messages name it. */
  readonly shown: string;
}

export function readCommand(fields: SuiteFields): HarnessCommand {
  return {
    command: fields.text('command') ?? '',
    script: fields.text('script') ?? '',
    namespaced: fields.flag('namespaced') ?? false,
    ignoreFailure: fields.flag('ignoreFailure') ?? false,
    background: fields.flag('background') ?? false,
    skipLogOutput: fields.flag('skipLogOutput') ?? false,
    timeout: fields.count('timeout') ?? 0,
  };
}

/** The environment of a command, which `command` expands. */
export interface CommandEnvironment {
  readonly [name: string]: string | undefined;
}

/**
 * The program of a command (KUTTL utils/commands.go GetArgs): variables first, then words as a shell splits them. A script is
 * not expanded. A text says why there is none.
 */
export function programOf(
  command: Pick<HarnessCommand, 'command' | 'script' | 'namespaced'>,
  namespace: string,
  environment: CommandEnvironment,
): CommandProgram | string {
  const { script } = command;
  if (command.command !== '' && script !== '') return 'command and script can not be set in the same configuration';
  if (command.command === '' && script === '') return 'command or script must be set';
  if (script !== '') {
    if (command.namespaced) {
      return "script can not used 'namespaced', use the $NAMESPACE environment variable instead";
    }
    return { program: 'sh', args: ['-c', script], shown: shortScript(script) };
  }
  const words = splitWords(expandVariables(command.command, environment));
  if (typeof words === 'string') return `processing command "${command.command}" with ${words}`;
  const [program, ...args] = words;
  if (program === undefined) return `processing command "${command.command}" with no program in it`;
  const all = command.namespaced && !hasNamespace(args) ? [...args, '--namespace', namespace] : args;
  // As it is written, not expanded: the environment may have secrets.
  const added = all.length === args.length ? '' : ` --namespace ${namespace}`;
  return { program, args: all, shown: `${command.command}${added}` };
}

/** True when `-n` or `--namespace` has a value, in any spelling of pflag. Unknown flags are passed over. */
export function hasNamespace(args: readonly string[]): boolean {
  for (const [index, word] of args.entries()) {
    if (word === '--') return false;
    if (word === '-n' || word === '--namespace') {
      if (args[index + 1] !== undefined) return true;
    } else if (/^(?:--namespace=|-n(?!-)=?)./.test(word)) return true;
  }
  return false;
}

const VARIABLE = /\$(?:\{([^}]*)\}|([*#$@!?0-9-])|([A-Za-z_][A-Za-z0-9_]*))/g;

/** `$X` and `${X}` from the environment as Go's os.Expand replaces them; `$$` is `$`, an unknown variable is empty. */
export function expandVariables(text: string, environment: CommandEnvironment): string {
  return text.replace(VARIABLE, (_whole, braced?: string, special?: string, plain?: string) => {
    const name = braced ?? special ?? plain ?? '';
    if (name === '$') return '$';
    return Object.hasOwn(environment, name) ? (environment[name] ?? '') : '';
  });
}

const SHOWN_CHARS = 70;

/** A script as messages show it: without comments and a leading `set -…`, at most 70 characters. */
export function shortScript(script: string): string {
  const lines = script.split('\n').map((line) => line.trim());
  const said = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const shown = (said[0]?.startsWith('set -') === true && said.length > 1 ? said.slice(1) : said).join(' ');
  return shown.length <= SHOWN_CHARS ? shown : `${shown.slice(0, SHOWN_CHARS - 3)}...`;
}
