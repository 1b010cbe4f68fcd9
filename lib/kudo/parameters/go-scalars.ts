/** The textual forms that Go's strconv accepts: what a stored parameter value is checked against. */

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** strconv.ParseInt(text, 10, 64): undefined when it parses, else Go's own words for the failure. */
export function goIntegerProblem(text: string): string | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return `strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  if (value > INT64_MAX || value < INT64_MIN) return `strconv.ParseInt: parsing ${goQuote(text)}: value out of range`;
  return undefined;
}

const DIGITS = '[0-9](?:_?[0-9])*';
const HEX_DIGITS = '[0-9a-fA-F](?:_?[0-9a-fA-F])*';
const DECIMAL = new RegExp(`^[+-]?(?:${DIGITS}\\.?|${DIGITS}\\.${DIGITS}|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?$`);
const HEX = new RegExp(
  `^[+-]?0[xX]_?(?:${HEX_DIGITS}\\.?|${HEX_DIGITS}\\.${HEX_DIGITS}|\\.${HEX_DIGITS})[pP][+-]?${DIGITS}$`,
);
const SPECIAL = /^(?:[+-]?(?:inf|infinity)|nan)$/i;

/** strconv.ParseFloat(text, 64): undefined when it parses, else Go's own words for the failure. */
export function goFloatProblem(text: string): string | undefined {
  if (SPECIAL.test(text) || HEX.test(text)) return undefined;
  if (!DECIMAL.test(text)) return `strconv.ParseFloat: parsing ${goQuote(text)}: invalid syntax`;
  if (!Number.isFinite(Number(text.replaceAll('_', '')))) {
    return `strconv.ParseFloat: parsing ${goQuote(text)}: value out of range`;
  }
  return undefined;
}

const TRUE_WORDS = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE_WORDS = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** strconv.ParseBool: the value, or undefined when the text is no boolean. */
export function parseGoBoolean(text: string): boolean | undefined {
  if (TRUE_WORDS.has(text)) return true;
  return FALSE_WORDS.has(text) ? false : undefined;
}

/** strconv.ParseBool: undefined when it parses, else Go's own words for the failure. */
export function goBooleanProblem(text: string): string | undefined {
  return parseGoBoolean(text) === undefined ? `strconv.ParseBool: parsing ${goQuote(text)}: invalid syntax` : undefined;
}

/** A text in double quotes as Go's `%q` prints it, near enough for messages. */
export function goQuote(text: string): string {
  return JSON.stringify(text);
}
