import type { Steps } from '../language/effects';
import { encode, print } from '../language/io';
import type { ProgramCall } from '../language/session';
import { compilePattern } from './search';
import { input, linesOf } from './text';

/**
 * `awk` for what scripts mostly do with it: an optional `/pattern/` and one `{print …}` of fields, `NF`, `NR` and texts.
 * Other programs print nothing and fail.
 */
export function* awk(call: ProgramCall): Steps<number> {
  const { separator, program, files } = readArguments(call.argv.slice(1));
  const [, pattern, action = 'print'] =
    /^\s*(?:\/((?:[^/\\]|\\.)*)\/)?\s*(?:\{\s*([^{}]*?);?\s*\})?\s*$/.exec(program) ?? [];
  const expressions = /^print\b\s*(.*)$/s.exec(action.trim())?.[1];
  const search = pattern === undefined ? undefined : compilePattern(pattern, true, false);
  if (expressions === undefined || (pattern !== undefined && search === undefined)) {
    print(call.streams.stderr, 'awk: only /pattern/ {print …} is understood\n');
    return 2;
  }
  let number = 0;
  for (const line of linesOf(yield* input(call, files))) {
    number++;
    call.session.step();
    if (search !== undefined && !search.matcher(line).find()) continue;
    call.streams.stdout.write(encode(`${printed(expressions, line, separator, number)}\n`));
  }
  return 0;
}

function readArguments(args: readonly string[]): { separator: string; program: string; files: readonly string[] } {
  let separator = ' ';
  let at = 0;
  for (; args[at]?.startsWith('-') === true; at++) {
    const arg = args[at] ?? '';
    if (arg.startsWith('-F')) separator = arg.length > 2 ? arg.slice(2) : (args[++at] ?? ' ');
    else if (arg === '-v') at++;
  }
  return { separator, program: args[at] ?? '', files: args.slice(at + 1) };
}

function printed(expressions: string, line: string, separator: string, number: number): string {
  const fields = separator === ' ' ? line.trim().split(/\s+/) : line.split(separator);
  if (expressions.trim() === '') return line;
  const value = (token: string): string => {
    if (token.startsWith('"')) return token.slice(1, -1).replaceAll('\\t', '\t').replaceAll('\\n', '\n');
    if (token === 'NF') return String(fields.length);
    if (token === 'NR') return String(number);
    if (token === '$NF') return fields.at(-1) ?? '';
    return token === '$0' ? line : (fields[Number(token.slice(1)) - 1] ?? '');
  };
  return expressions
    .split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .map((group) => (group.match(/"(?:[^"\\]|\\.)*"|\$?\w+/g) ?? []).map(value).join(''))
    .join(' ');
}
