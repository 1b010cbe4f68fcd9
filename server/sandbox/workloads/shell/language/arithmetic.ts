const TOKEN = /\s*(\d+|[A-Za-z_]\w*|<=|>=|==|!=|&&|\|\||[-+*/%()<>!])/y;

/** The operators from the weakest to the strongest. */
const LEVELS: readonly { readonly [operator: string]: (left: number, right: number) => number | boolean }[] = [
  { '||': (left, right) => left !== 0 || right !== 0 },
  { '&&': (left, right) => left !== 0 && right !== 0 },
  { '==': (left, right) => left === right, '!=': (left, right) => left !== right },
  {
    '<': (left, right) => left < right,
    '<=': (left, right) => left <= right,
    '>': (left, right) => left > right,
    '>=': (left, right) => left >= right,
  },
  { '+': (left, right) => left + right, '-': (left, right) => left - right },
  {
    '*': (left, right) => left * right,
    '/': (left, right) => (right === 0 ? 0 : Math.trunc(left / right)),
    '%': (left, right) => (right === 0 ? 0 : left % right),
  },
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
    if (token === '(') {
      const value = level(0);
      at++;
      return value;
    }
    if (token === '-') return -primary();
    if (token === '+') return primary();
    if (token === '!') return Number(primary() === 0);
    return Math.trunc(Number(variables.get(token ?? '') ?? token)) || 0;
  };
  const level = (depth: number): number => {
    const operators = LEVELS[depth];
    if (operators === undefined) return primary();
    let left = level(depth + 1);
    for (let apply = operators[tokens[at] ?? '']; apply !== undefined; apply = operators[tokens[at] ?? '']) {
      at++;
      left = Number(apply(left, level(depth + 1)));
    }
    return left;
  };
  return level(0);
}
