import type { TemplateError } from '../../template-error';
import { toText } from '../../value/bytes';

/** What a case expects: one of the three. Outputs are byte strings. */
export interface Expectation {
  readonly output?: string;
  readonly match?: string;
  readonly error?: {
    readonly kind: string;
    readonly line?: number | undefined;
    readonly column?: number | undefined;
    readonly message?: string | undefined;
  };
}

/** What happened. `crash` is an error that a template may never cause. */
export interface GoldenOutcome {
  readonly output?: string;
  readonly error?: TemplateError;
  readonly crash?: string;
}

/** What differs between the expected and the actual, or undefined. Kind and line of an error have to match. */
export function judge(expected: Expectation, actual: GoldenOutcome): string | undefined {
  if (actual.crash !== undefined) return `crashed: ${actual.crash}`;
  if (expected.error !== undefined) return judgeError(expected.error, actual);
  if (actual.error !== undefined)
    return `failed: ${actual.error.goMessage}; expected ${show(expected.output ?? expected.match)}`;
  const output = actual.output ?? '';
  if (expected.match !== undefined) {
    // Patterns of golden files are ours, not a package's.
    const matches = new RegExp(expected.match).test(toText(output) ?? output);
    return matches ? undefined : `gave ${show(output)}; expected a match of ${expected.match}`;
  }
  return output === expected.output ? undefined : `gave ${show(output)}; expected ${show(expected.output)}`;
}

function judgeError(expected: NonNullable<Expectation['error']>, actual: GoldenOutcome): string | undefined {
  const { error } = actual;
  if (error === undefined)
    return `gave ${show(actual.output)}; expected ${expected.kind} error ${expected.message ?? ''}`;
  const kind = error.failure === 'budget' ? 'exec' : error.failure;
  if (kind !== expected.kind)
    return `${kind} error ${error.goMessage}; expected ${expected.kind} error ${expected.message}`;
  if (expected.line !== undefined && error.place.line !== expected.line) {
    return `error at line ${error.place.line}: ${error.goMessage}; expected line ${expected.line}: ${expected.message}`;
  }
  return undefined;
}

function show(bytes: string | undefined): string {
  const text = bytes === undefined ? undefined : (toText(bytes) ?? bytes);
  return JSON.stringify(text !== undefined && text.length > 400 ? `${text.slice(0, 400)}…` : text);
}
