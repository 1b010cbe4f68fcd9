/** The options and operands of a command. */
export interface Arguments {
  /** Options by letter or long name; the values of one that comes twice are lines. */
  readonly options: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
}

/** Reads what follows the name of the program; the letters in `withValue` take the rest of their word or the next one. */
export function readOptions(argv: readonly string[], withValue = ''): Arguments {
  const options = new Map<string, string>();
  const operands: string[] = [];
  const set = (name: string, value: string): void => {
    const before = options.get(name);
    options.set(name, before === undefined ? value : `${before}\n${value}`);
  };
  for (let at = 1; at < argv.length; at++) {
    const arg = argv[at] ?? '';
    if (arg === '--') return { options, operands: [...operands, ...argv.slice(at + 1)] };
    const [, long, value = ''] = /^--([^=]+)=?([\s\S]*)$/.exec(arg) ?? [];
    if (long !== undefined) set(long, value);
    else if (!/^-./.test(arg)) operands.push(arg);
    else {
      const { flags, last, value: rest } = readLetters([...arg.slice(1)], withValue);
      for (const letter of flags) set(letter, '');
      if (last !== undefined) set(last, rest || (argv[++at] ?? ''));
    }
  }
  return { options, operands };
}

/** A word of letters: those that stand alone, then one that takes the rest of the word as its value. */
function readLetters(letters: readonly string[], withValue: string) {
  const end = letters.findIndex((letter) => withValue.includes(letter));
  if (end < 0) return { flags: letters, last: undefined, value: '' };
  return { flags: letters.slice(0, end), last: letters[end], value: letters.slice(end + 1).join('') };
}
