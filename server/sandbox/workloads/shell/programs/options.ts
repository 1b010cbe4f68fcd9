/** Splits arguments into single-letter options and operands; options in `withValue` take the rest or the next word. */
export function readOptions(
  args: readonly string[],
  withValue = '',
): { readonly options: ReadonlyMap<string, string>; readonly operands: readonly string[] } {
  const options = new Map<string, string>();
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (arg.startsWith('--')) {
      const [name = '', value] = splitOnce(arg.slice(2), '=');
      options.set(name, value ?? '');
    } else if (arg.startsWith('-') && arg.length > 1) {
      at += readLetters(arg.slice(1), args[at + 1], withValue, options);
    } else {
      operands.push(arg);
    }
  }
  return { options, operands };
}

/** How many of the following words were taken: 0 or 1. */
function readLetters(
  letters: string,
  next: string | undefined,
  withValue: string,
  options: Map<string, string>,
): number {
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] ?? '';
    if (!withValue.includes(letter)) {
      options.set(letter, '');
      continue;
    }
    const rest = letters.slice(at + 1);
    options.set(letter, rest === '' ? (next ?? '') : rest);
    return rest === '' ? 1 : 0;
  }
  return 0;
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
