import { type Matcher, RE2JS } from 're2js';
import type { Steps } from '../language/effects';
import { encode, print } from '../language/io';
import type { ProgramCall, ShellProgram } from '../language/session';
import { input, joined, linesOf } from './text';

/** `grep` and `sed`, with RE2 so that no pattern can hang the sandbox. */
export const searchPrograms: { readonly [name: string]: ShellProgram } = {
  grep,
  sed,
};

/** A basic or extended expression as RE2 has it; undefined when it cannot be read. */
export function compilePattern(pattern: string, extended: boolean, ignoreCase: boolean): RE2JS | undefined {
  const text = extended ? pattern : fromBasic(pattern);
  try {
    return RE2JS.compile(text, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch {
    return undefined;
  }
}

/** In basic expressions `( ) { } + ? |` are ordinary and `\( \) …` are special: the other way round. */
function fromBasic(pattern: string): string {
  let result = '';
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? '';
    const next = pattern[at + 1];
    if (char === '[') {
      const end = pattern.indexOf(']', at + 2);
      const stop = end < 0 ? pattern.length : end + 1;
      result += pattern.slice(at, stop);
      at = stop - 1;
    } else if (char === '\\' && next !== undefined) {
      result += '(){}+?|'.includes(next) ? next : `\\${next}`;
      at++;
    } else {
      result += '(){}+?|'.includes(char) || (char === '*' && result === '') ? `\\${char}` : char;
    }
  }
  return result;
}

function* grep(call: ProgramCall): Steps<number> {
  const { session, streams } = call;
  const flags = new Set<string>();
  const patterns: string[] = [];
  const operands: string[] = [];
  let limit = Number.POSITIVE_INFINITY;
  const args = call.argv.slice(1);
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '-e') patterns.push(args[++at] ?? '');
    else if (arg === '-m') limit = Number(args[++at]);
    else if (arg.startsWith('--')) flags.add(arg === '--quiet' ? 'q' : arg);
    else if (arg.startsWith('-') && arg.length > 1) for (const letter of arg.slice(1)) flags.add(letter);
    else operands.push(arg);
  }
  if (patterns.length === 0) patterns.push(operands.shift() ?? '');
  const fixed = flags.has('F');
  const expressions = patterns
    .map((pattern) => (flags.has('w') ? `\\b${pattern}\\b` : flags.has('x') ? `^${pattern}$` : pattern))
    .map((pattern) => compilePattern(fixed ? RE2JS.quote(pattern) : pattern, fixed || flags.has('E'), flags.has('i')));
  if (expressions.some((expression) => expression === undefined)) {
    print(streams.stderr, 'grep: bad regex\n');
    return 2;
  }
  const missing = operands.filter((name) => name !== '-' && session.host.files.get(session.path(name)) === undefined);
  for (const name of missing) print(streams.stderr, `grep: ${name}: No such file or directory\n`);
  const present = operands.filter((name) => !missing.includes(name));
  if (operands.length > 0 && present.length === 0) return 2;
  const found: string[] = [];
  for (const line of linesOf(yield* input(call, present))) {
    session.step();
    if (found.length >= limit) break;
    const match = expressions
      .map((expression) => expression?.matcher(line))
      .find((matcher) => matcher?.find() === true);
    if ((match !== undefined) === flags.has('v')) continue;
    found.push(flags.has('o') ? (match?.group() ?? '') : line);
  }
  if (flags.has('c')) print(streams.stdout, `${found.length}\n`);
  else if (!flags.has('q')) print(streams.stdout, joined(found));
  return found.length > 0 ? 0 : 1;
}

interface SedCommand {
  readonly address: RE2JS | number | '$' | undefined;
  readonly verb: 's' | 'd' | 'p' | 'q';
  readonly search?: RE2JS;
  readonly replacement?: string;
  readonly everywhere?: boolean;
  readonly prints?: boolean;
}

/** `s`, `d`, `p` and `q` with an optional line number, `$` or `/pattern/` before them. */
function* sed(call: ProgramCall): Steps<number> {
  const { streams, session } = call;
  const scripts: string[] = [];
  const operands: string[] = [];
  const flags = new Set<string>();
  const args = call.argv.slice(1);
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '-e') scripts.push(args[++at] ?? '');
    else if (arg.startsWith('-') && arg.length > 1) for (const letter of arg.slice(1)) flags.add(letter);
    else operands.push(arg);
  }
  if (scripts.length === 0) scripts.push(operands.shift() ?? '');
  const commands = scripts.flatMap((script) => parseSed(script, flags.has('E') || flags.has('r')));
  if (commands.includes(undefined)) {
    print(streams.stderr, 'sed: unsupported command\n');
    return 1;
  }
  const known = commands.filter((command) => command !== undefined);
  const groups = flags.has('i') ? operands.map((name) => [name]) : [operands];
  for (const names of groups) {
    const text = joined(applySed(known, linesOf(yield* input(call, names)), flags.has('n')));
    const [name] = names;
    if (!flags.has('i') || name === undefined) streams.stdout.write(encode(text));
    else session.host.files.write(session.path(name), encode(text), { nowMs: session.nowMs() });
  }
  return 0;
}

function applySed(commands: readonly SedCommand[], lines: readonly string[], quiet: boolean): string[] {
  const result: string[] = [];
  for (const [index, original] of lines.entries()) {
    let line: string | undefined = original;
    let quit = false;
    for (const command of commands) {
      if (line === undefined || !isAddressed(command, line, index, lines.length)) continue;
      if (command.verb === 'd') line = undefined;
      else if (command.verb === 'p') result.push(line);
      else if (command.verb === 'q') quit = true;
      else {
        const replaced = substitute(line, command);
        if (replaced !== line && command.prints === true) result.push(replaced);
        line = replaced;
      }
    }
    if (line !== undefined && !quiet) result.push(line);
    if (quit) break;
  }
  return result;
}

function isAddressed({ address }: SedCommand, line: string, index: number, total: number): boolean {
  if (address === undefined) return true;
  if (address === '$') return index === total - 1;
  return typeof address === 'number' ? address === index + 1 : address.matcher(line).find();
}

function substitute(line: string, { search, replacement = '', everywhere }: SedCommand): string {
  if (search === undefined) return line;
  const matcher = search.matcher(line);
  let result = '';
  let at = 0;
  while (matcher.find()) {
    result += line.slice(at, matcher.start()) + fill(replacement, matcher);
    at = matcher.end();
    if (everywhere !== true) break;
  }
  return result + line.slice(at);
}

function fill(replacement: string, matcher: Matcher): string {
  return replacement.replace(/\\(.)|&/gs, (whole, char: string | undefined) => {
    if (whole === '&') return matcher.group() ?? '';
    if (char !== undefined && /\d/.test(char))
      return (Number(char) <= matcher.groupCount() ? matcher.group(Number(char)) : '') ?? '';
    return char === 'n' ? '\n' : (char ?? '');
  });
}

function parseSed(script: string, extended: boolean): (SedCommand | undefined)[] {
  return splitCommands(script).map((text) => parseSedCommand(text.trim(), extended));
}

/** Splits at `;` and newlines that are not inside `s/…/…/`. */
function splitCommands(script: string): string[] {
  const commands: string[] = [];
  let current = '';
  let delimiter = '';
  let seen = 0;
  for (let at = 0; at < script.length; at++) {
    const char = script[at] ?? '';
    if (delimiter === '' && (char === ';' || char === '\n')) {
      commands.push(current);
      current = '';
      continue;
    }
    if (delimiter === '' && char === 's' && /^(\d+|\$|\/.*\/)?\s*$/.test(current)) {
      delimiter = script[++at] ?? '';
      current += `s${delimiter}`;
      seen = 1;
      continue;
    }
    current += char;
    if (char === '\\') current += script[++at] ?? '';
    else if (char === delimiter && ++seen === 3) delimiter = '';
  }
  commands.push(current);
  return commands.filter((command) => command.trim() !== '');
}

function parseSedCommand(text: string, extended: boolean): SedCommand | undefined {
  const [whole = '', line, pattern] = /^(?:(\d+|\$)|\/((?:[^/\\]|\\.)*)\/)?\s*/.exec(text) ?? [];
  const rest = text.slice(whole.length);
  const address = line === '$' ? '$' : line !== undefined ? Number(line) : undefined;
  const byPattern = pattern === undefined ? undefined : compilePattern(pattern, extended, false);
  if (pattern !== undefined && byPattern === undefined) return undefined;
  const where = address ?? byPattern;
  if (rest === 'd' || rest === 'p' || rest === 'q') return { address: where, verb: rest };
  if (!rest.startsWith('s')) return undefined;
  const [search = '', replacement = '', flags = ''] = splitAt(rest.slice(2), rest[1] ?? '/');
  const expression = compilePattern(search, extended, flags.includes('i') || flags.includes('I'));
  if (expression === undefined) return undefined;
  const everywhere = flags.includes('g');
  return { address: where, verb: 's', search: expression, replacement, everywhere, prints: flags.includes('p') };
}

function splitAt(text: string, delimiter: string): string[] {
  const parts = [''];
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    const last = parts.length - 1;
    if (char === '\\' && text[at + 1] === delimiter) parts[last] += text[++at] ?? '';
    else if (char === '\\') parts[last] += char + (text[++at] ?? '');
    else if (char === delimiter) parts.push('');
    else parts[last] += char;
  }
  return parts;
}
