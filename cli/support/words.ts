/** The programs among the verbs: they read their words themselves. */
const PROGRAMS: ReadonlySet<string> = new Set(['console', 'controller', 'sandbox']);

/** Flags that are on or off; KUDO's command line takes `--wait=false` too. */
const SWITCHES: ReadonlySet<string> = new Set([
  'wait',
  'skip-instance',
  'create-namespace',
  'in-cluster',
  'overwrite',
  'with-tasks',
  'descriptions',
  'required',
  'names',
]);

const ON = /^(1|t|T|true|TRUE|True)$/;
const OFF = /^(0|f|F|false|FALSE|False)$/;

/** True for words that start a server; everything else is a verb of a client. */
export function startsProgram(argv: readonly string[]): boolean {
  return PROGRAMS.has(argv.find((word) => !word.startsWith('-')) ?? '');
}

/**
 * The words of a command line as the flag reader of KUDO's own program (spf13/pflag) takes them: `--wait=true` and
 * `--wait=false` for switches, `-p=NAME=VALUE` for short flags. Words behind `--` stay.
 */
export function asFlagWords(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  return [...flags.flatMap(asFlagWord), ...(end < 0 ? [] : argv.slice(end))];
}

function asFlagWord(word: string): string[] {
  const short = /^-([A-Za-z])=([\s\S]*)$/.exec(word);
  if (short !== null) return [`-${short[1]}`, short[2] ?? ''];
  const long = /^--([a-z-]+)=([\s\S]*)$/.exec(word);
  if (long === null || !SWITCHES.has(long[1] ?? '')) return [word];
  const value = long[2] ?? '';
  if (OFF.test(value)) return [];
  return ON.test(value) ? [`--${long[1]}`] : [word];
}
