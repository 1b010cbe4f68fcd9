import type { Finding } from './expression-error';
import type { CelToken } from './lexer';
import { unquoteBytes, unquoteText } from './unquote';
import { CelUint, type CelValue } from './values';

/** The value of a literal; an invalid one is added to `findings`. */
export function literalValue({ kind, text }: CelToken, sign: string, at: number, findings: Finding[]): CelValue {
  const checked = <Value>(value: Value, fits: (value: Value) => boolean, name: string): Value => {
    if (!fits(value)) findings.push({ at, message: `invalid ${name} literal` });
    return value;
  };
  try {
    if (kind === 'string') return unquoteText(text);
    if (kind === 'bytes') return unquoteBytes(text);
  } catch (error) {
    findings.push({ at, message: error instanceof Error ? error.message : String(error) });
    return null;
  }
  if (kind === 'float') return checked(Number(`${sign}${text}`), Number.isFinite, 'double');
  if (kind === 'uint') return new CelUint(checked(BigInt(text.slice(0, -1)), (each) => each < 1n << 64n, 'uint'));
  const value = sign === '-' ? -BigInt(text) : BigInt(text);
  return checked(value, (each) => BigInt.asIntN(64, each) === each, 'int');
}
