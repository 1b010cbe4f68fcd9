import { type Matcher, RE2JS } from 're2js';
import { FileError } from '../language/file-tree';
import { encode, print } from '../language/io';
import { compileRegularExpression } from '../language/pattern';
import type { Steps } from '../language/process';
import type { ProgramCall, ShellProgram } from '../language/session';
import { readOptions } from './options';
import { input, joined, linesOf } from './text';

/** `grep` and `sed`. */
export const searchPrograms: { readonly [name: string]: ShellProgram } = { grep, sed };

/** In basic expressions `( ) { } + ? |` are ordinary and `\( \) …` are special: the other way round. */
function fromBasic(expression: string): string {
  return expression.replace(/\[\^?\]?[^\]]*\]|\\?[\s\S]/g, (token, at: number) => {
    const char = token.at(-1) ?? '';
    if (token === '*' && at === 0) return '\\*';
    if (token.startsWith('[') || !'(){}+?|'.includes(char)) return token;
    return token.startsWith('\\') ? char : `\\${char}`;
  });
}

function compile(expression: string, isExtended: boolean, ignoresCase: boolean): RE2JS {
  const flags = ignoresCase ? RE2JS.CASE_INSENSITIVE : 0;
  const compiled = compileRegularExpression(isExtended ? expression : fromBasic(expression), flags);
  if (compiled === undefined) throw new FileError(`bad regex '${expression}'`);
  return compiled;
}

function* grep(call: ProgramCall): Steps<number> {
  const { session, streams } = call;
  const { options, operands } = readOptions(call.argv, 'emABC');
  const names = options.has('e') ? operands : operands.slice(1);
  const isFixed = options.has('F');
  const expressions = (options.get('e') ?? operands[0] ?? '')
    .split('\n')
    .map((pattern) => (isFixed ? RE2JS.quote(pattern) : pattern))
    .map((pattern) => (options.has('w') ? `\\b${pattern}\\b` : options.has('x') ? `^${pattern}$` : pattern))
    .map((pattern) => compile(pattern, isFixed || options.has('E'), options.has('i')));
  const missing = names.filter((name) => name !== '-' && session.node(name) === undefined);
  for (const name of missing) print(streams.stderr, `grep: ${name}: No such file or directory\n`);
  const present = names.filter((name) => !missing.includes(name));
  if (names.length > 0 && present.length === 0) return 2;
  const found: string[] = [];
  for (const line of linesOf(yield* input(call, present))) {
    session.step();
    if (found.length >= Number(options.get('m') ?? Number.POSITIVE_INFINITY)) break;
    const match = expressions.map((expression) => expression.matcher(line)).find((matcher) => matcher.find());
    if ((match !== undefined) === options.has('v')) continue;
    found.push(options.has('o') ? (match?.group() ?? '') : line);
  }
  if (options.has('c')) print(streams.stdout, `${found.length}\n`);
  else if (!options.has('q') && !options.has('quiet')) print(streams.stdout, joined(found));
  return found.length > 0 ? 0 : 1;
}

interface SedCommand {
  readonly isAt: (line: string, number: number, isLast: boolean) => boolean;
  readonly verb: string;
  readonly search: RE2JS;
  readonly replacement: string;
  readonly flags: string;
}

/** `s`, `d`, `p` and `q` with an optional line number, `$` or `/pattern/` before them. */
function* sed(call: ProgramCall): Steps<number> {
  const { options, operands } = readOptions(call.argv, 'e');
  const names = options.has('e') ? operands : operands.slice(1);
  const commands = parseSed(options.get('e') ?? operands[0] ?? '', options.has('E') || options.has('r'));
  for (const group of options.has('i') ? names.map((name) => [name]) : [names]) {
    const text = encode(joined(applySed(commands, linesOf(yield* input(call, group)), options.has('n'))));
    const [name] = group;
    if (!options.has('i') || name === undefined) call.streams.stdout.write(text);
    else call.session.write(name, text);
  }
  return 0;
}

function applySed(commands: readonly SedCommand[], lines: readonly string[], isQuiet: boolean): string[] {
  const result: string[] = [];
  let quits = false;
  /** Adds what a command prints of a line, and gives what is left of the line. */
  const run = (command: SedCommand, line: string): string | undefined => {
    if (command.verb === 'd') return undefined;
    if (command.verb === 'p') result.push(line);
    if (command.verb === 'q') quits = true;
    if (command.verb !== 's') return line;
    const replaced = substitute(line, command);
    if (replaced !== line && command.flags.includes('p')) result.push(replaced);
    return replaced;
  };
  for (const [index, original] of lines.entries()) {
    let line: string | undefined = original;
    for (const command of commands) {
      if (line !== undefined && command.isAt(line, index + 1, index === lines.length - 1)) line = run(command, line);
    }
    if (line !== undefined && !isQuiet) result.push(line);
    if (quits) break;
  }
  return result;
}

function substitute(line: string, { search, replacement, flags }: SedCommand): string {
  const matcher = search.matcher(line);
  let result = '';
  let at = 0;
  while (matcher.find()) {
    result += line.slice(at, matcher.start()) + fill(replacement, matcher);
    at = matcher.end();
    if (!flags.includes('g')) break;
  }
  return result + line.slice(at);
}

function fill(replacement: string, matcher: Matcher): string {
  return replacement.replace(/\\([\s\S])|&/g, (whole, char = '') => {
    if (whole === '&') return matcher.group() ?? '';
    if (!/\d/.test(char)) return char === 'n' ? '\n' : char;
    return (Number(char) <= matcher.groupCount() ? matcher.group(Number(char)) : '') ?? '';
  });
}

/** One command: `1`, `$` or `/…/`, then `d`, `p`, `q`, or `s` with any delimiter. */
const SED_COMMAND =
  /\s*(?:(?:(\d+|\$)|\/((?:[^/\\]|\\.)*)\/)\s*)?(?:([dpq])|s(.)((?:(?!\4)[^\\]|\\[\s\S])*)\4((?:(?!\4)[^\\]|\\[\s\S])*)\4([gpiI]*))[ \t]*(?:[;\n]|$)/y;

function parseSed(script: string, isExtended: boolean): SedCommand[] {
  const commands: SedCommand[] = [];
  const text = script.trimEnd();
  SED_COMMAND.lastIndex = 0;
  for (let at = 0; at < text.length; at = SED_COMMAND.lastIndex) {
    const match = SED_COMMAND.exec(text);
    if (match === null) throw new FileError(`unsupported command '${text.slice(at)}'`);
    const [, line, pattern, verb = 's', delimiter = '/', search = '', replacement = '', flags = ''] = match;
    const address = pattern === undefined ? undefined : compile(pattern, isExtended, false);
    commands.push({
      isAt: (content, number, isLast) =>
        line === undefined
          ? (address?.matcher(content).find() ?? true)
          : line === '$'
            ? isLast
            : Number(line) === number,
      verb,
      search: compile(search.replaceAll(`\\${delimiter}`, delimiter), isExtended, /i/i.test(flags)),
      replacement: replacement.replaceAll(`\\${delimiter}`, delimiter),
      flags,
    });
  }
  return commands;
}
