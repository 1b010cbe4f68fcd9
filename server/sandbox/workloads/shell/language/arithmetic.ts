const TOKEN = /\s*(\d+|[A-Za-z_]\w*|<=|>=|==|!=|&&|\|\||[-+*/%()<>!?:])/y;
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
];

/** Evaluates `$(( … ))` in whole numbers; unknown names are 0, what cannot be read ends the expression. */
export function evaluateArithmetic(text: string, variables: ReadonlyMap<string, string>): number {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null && tokens.length < 1000; match = TOKEN.exec(text)) {
    tokens.push(match[1] ?? '');
  }
  let at = 0;
  const primary = (): number => {
    const token = tokens[at++];
    if (token === undefined) return 0;
    if (token === '(') {
      const value = level(0);
      at++;
      return value;
    }
    if (token === '-') return -primary();
    if (token === '+') return primary();
    if (token === '!') return Number(primary() === 0);
    if (/^\d/.test(token)) return Number(token);
    return Math.trunc(Number(variables.get(token) ?? 0)) || 0;
  };
  const level = (depth: number): number => {
    const operators = LEVELS[depth];
    if (operators === undefined) return primary();
    let left = level(depth + 1);
    for (let operator = tokens[at]; operator !== undefined && operators.includes(operator); operator = tokens[at]) {
      at++;
      left = apply(operator, left, level(depth + 1));
    }
    return left;
  };
  const value = level(0);
  if (tokens[at] !== '?') return value;
  at++;
  const yes = level(0);
  at++;
  const no = level(0);
  return value === 0 ? no : yes;
}

function apply(operator: string, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? 0 : Math.trunc(left / right);
    case '%':
      return right === 0 ? 0 : left % right;
    case '<':
      return Number(left < right);
    case '<=':
      return Number(left <= right);
    case '>':
      return Number(left > right);
    case '>=':
      return Number(left >= right);
    case '==':
      return Number(left === right);
    case '!=':
      return Number(left !== right);
    case '&&':
      return Number(left !== 0 && right !== 0);
    default:
      return Number(left !== 0 || right !== 0);
  }
}
