import { matchesGlob } from '../language/pattern';
import type { ShellSession } from '../language/session';

/** The expression of `test`, `[` and `[[`: files, texts, numbers, `!`, `-a`, `-o`, `&&`, `||` and parentheses. */
export function check(args: readonly string[], session: ShellSession): boolean {
  let at = 0;
  const either = (): boolean => {
    let value = both();
    for (; args[at] === '-o' || args[at] === '||'; ) {
      at++;
      const right = both();
      value = value || right;
    }
    return value;
  };
  const both = (): boolean => {
    let value = not();
    for (; args[at] === '-a' || args[at] === '&&'; ) {
      at++;
      const right = not();
      value = value && right;
    }
    return value;
  };
  const not = (): boolean => {
    if (args[at] === '!' && at + 1 < args.length) {
      at++;
      return !not();
    }
    if (args[at] === '(') {
      at++;
      const value = either();
      at++;
      return value;
    }
    return primary();
  };
  const primary = (): boolean => {
    const first = args[at] ?? '';
    const operator = args[at + 1];
    if (operator !== undefined && BINARY.has(operator) && at + 2 < args.length) {
      const value = compare(first, operator, args[at + 2] ?? '', session);
      at += 3;
      return value;
    }
    if (/^-[a-zA-Z]$/.test(first) && operator !== undefined) {
      at += 2;
      return unary(first, operator, session);
    }
    at++;
    return first !== '';
  };
  return args.length > 0 && either();
}

const BINARY = new Set(['=', '==', '!=', '<', '>', '-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-nt', '-ot', '=~']);

function unary(operator: string, operand: string, session: ShellSession): boolean {
  if (operator === '-z') return operand === '';
  if (operator === '-n') return operand !== '';
  const node = session.host.files.get(session.path(operand));
  switch (operator) {
    case '-e':
    case '-r':
    case '-w':
      return node !== undefined;
    case '-f':
      return node?.kind === 'file';
    case '-d':
      return node?.kind === 'directory';
    case '-s':
      return node?.kind === 'file' ? node.content.length > 0 : node !== undefined;
    case '-x':
      return node?.kind === 'directory' || (node?.kind === 'file' && (node.mode & 0o111) !== 0);
    default:
      return false;
  }
}

function compare(left: string, operator: string, right: string, session: ShellSession): boolean {
  switch (operator) {
    case '=':
    case '==':
      return left === right || matchesGlob(right, left);
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '>':
      return left > right;
    case '=~':
      return left.includes(right.replace(/^\^|\$$/g, ''));
    case '-nt':
    case '-ot': {
      const modified = (name: string): number => session.host.files.get(session.path(name))?.modifiedMs ?? 0;
      return operator === '-nt' ? modified(left) > modified(right) : modified(left) < modified(right);
    }
    default:
      return compareNumbers(Number(left), operator, Number(right));
  }
}

function compareNumbers(left: number, operator: string, right: number): boolean {
  switch (operator) {
    case '-eq':
      return left === right;
    case '-ne':
      return left !== right;
    case '-lt':
      return left < right;
    case '-le':
      return left <= right;
    case '-gt':
      return left > right;
    default:
      return left >= right;
  }
}
