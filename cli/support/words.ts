/** The verbs that start a server. They parse their own flags. */
const PROGRAMS: ReadonlySet<string> = new Set(['console', 'controller', 'sandbox']);

/** Flags with a value that may stand before the verb. */
const GLOBAL_VALUES: ReadonlySet<string> = new Set([
  '-n',
  '--namespace',
  '--kubeconfig',
  '--context',
  '--home',
  '--request-timeout',
  '-v',
  '--v',
]);

/** Switches the check for CRDs. The default is on. */
const VALIDATE = '--validate-install';

const ON = /^(1|t|T|true|TRUE|True)$/;
const OFF = /^(0|f|F|false|FALSE|False)$/;

/** The verb of a command line: its first word that is neither a flag nor the value of one. Empty when there is none. */
export function firstVerb(argv: readonly string[]): string {
  const at = argv.findIndex((word, index) => !word.startsWith('-') && !GLOBAL_VALUES.has(argv[index - 1] ?? ''));
  return argv[at] ?? '';
}

/** True for a verb that starts a server. */
export function startsProgram(argv: readonly string[]): boolean {
  return PROGRAMS.has(firstVerb(argv));
}

/**
 * The words of a command line as the flag parser of KUDO (spf13/pflag) accepts them: `--wait=true` and
 * `--wait=false` for switches, `-p=NAME=VALUE` for short flags. Words after `--` stay.
 *
 * @param switches the flags that are on or off, as they are written (`--wait`, `-w`)
 */
export function asFlagWords(argv: readonly string[], switches: ReadonlySet<string>): string[] {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  return [...flags.flatMap((word) => asFlagWord(word, switches)), ...(end < 0 ? [] : argv.slice(end))];
}

function asFlagWord(word: string, switches: ReadonlySet<string>): string[] {
  // The parser would take the next word as its value.
  if (word === VALIDATE) return [`${VALIDATE}=true`];
  const match = /^(-[A-Za-z]|--[a-z-]+)=([\s\S]*)$/.exec(word);
  if (match === null) return [word];
  const [, flag = '', value = ''] = match;
  if (flag === VALIDATE) return [`${VALIDATE}=${OFF.test(value) ? 'false' : value}`];
  if (switches.has(flag)) {
    if (OFF.test(value)) return [];
    return ON.test(value) ? [flag] : [word];
  }
  return flag.startsWith('--') ? [word] : [flag, value];
}
