import { compileRegularExpression, matchesGlob } from '../language/pattern';
import type { ShellSession } from '../language/session';

/** The expression of `test`, `[` and `[[`: files, texts, numbers, `!`, `-a`, `-o` and parentheses. */
export function check(args: readonly string[], session: ShellSession): boolean {
  let at = 0;
  const either = (): boolean => {
    let value = both();
    while (args[at] === '-o' && at++ >= 0) value = both() || value;
    return value;
  };
  const both = (): boolean => {
    let value = primary();
    while (args[at] === '-a' && at++ >= 0) value = primary() && value;
    return value;
  };
  const primary = (): boolean => {
    const [first = '', operator, right] = args.slice(at, at + 3);
    const compare = COMPARISONS.get(operator ?? '');
    if (compare !== undefined && right !== undefined) {
      at += 3;
      return compare(first, right);
    }
    at++;
    if (first === '!' && operator !== undefined) return !primary();
    if (first === '(') {
      const value = either();
      at++;
      return value;
    }
    if (!/^-[a-zA-Z]$/.test(first) || operator === undefined) return first !== '';
    at++;
    return isSo(first, operator, session);
  };
  return args.length > 0 && either();
}

const COMPARISONS = new Map<string, (left: string, right: string) => boolean>([
  ['=', (left, right) => left === right || matchesGlob(right, left)],
  ['==', (left, right) => left === right || matchesGlob(right, left)],
  ['!=', (left, right) => left !== right],
  ['=~', (left, right) => compileRegularExpression(right, 0)?.matcher(left).find() === true],
  ['-eq', (left, right) => Number(left) === Number(right)],
  ['-ne', (left, right) => Number(left) !== Number(right)],
  ['-lt', (left, right) => Number(left) < Number(right)],
  ['-le', (left, right) => Number(left) <= Number(right)],
  ['-gt', (left, right) => Number(left) > Number(right)],
  ['-ge', (left, right) => Number(left) >= Number(right)],
]);

function isSo(operator: string, operand: string, session: ShellSession): boolean {
  if (operator === '-z') return operand === '';
  if (operator === '-n') return operand !== '';
  const node = session.node(operand);
  if (node === undefined) return false;
  if (operator === '-f') return node.kind === 'file';
  if (operator === '-d') return node.kind === 'directory';
  if (operator === '-s') return node.kind === 'directory' || node.content.length > 0;
  if (operator === '-x') return node.kind === 'directory' || (node.mode & 0o111) !== 0;
  return ['-e', '-r', '-w'].includes(operator);
}
