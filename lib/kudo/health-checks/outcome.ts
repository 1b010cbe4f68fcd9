import { limits } from '@/lib/limits/limits';
import type { HealthCheck, HealthOutcome, HealthVerdict } from './types';

/** C0 and C1 control characters, and the marks that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;

/** The first line that has any text, without control characters and at most 200 characters long; empty when there is none. */
export function firstLine(output: string): string {
  const line = output.split(/\r\n|\n|\r/).find((each) => each.replace(UNPRINTABLE, '').trim() !== '') ?? '';
  return shorten(line.replace(UNPRINTABLE, ' ').trim());
}

function shorten(text: string): string {
  const characters = [...text];
  const { healthTextChars } = limits;
  return characters.length <= healthTextChars ? text : `${characters.slice(0, healthTextChars - 1).join('')}…`;
}

/** What a command says by its exit code: 0 passes, 1 fails, everything else (2, 126, 127 …) says nothing about health. */
export function outcomeOfExit(check: HealthCheck, pod: string, exit: CommandExit): HealthOutcome {
  const text = firstLine(exit.stdout);
  // A script can go on after a program that was only simulated.
  if (isSimulated(exit.stderr)) return { verdict: 'Simulated', message: simulatedPart(exit.stderr), pod: '' };
  if (exit.exitCode === 0) return { verdict: 'Passing', message: text, pod };
  if (exit.exitCode === 1) return { verdict: 'Failing', message: text || failureText(check), pod };
  const why = firstLine(exit.stderr) || text;
  return { verdict: 'Unknown', message: shorten(`exit code ${exit.exitCode}${why === '' ? '' : `: ${why}`}`), pod };
}

export interface CommandExit {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How each program that the sandbox only simulates begins its line on standard error. */
export const SIMULATED_PREFIX = 'simulated by the Bravo sandbox';

function isSimulated(stderr: string): boolean {
  return stderr.includes(SIMULATED_PREFIX);
}

function simulatedPart(stderr: string): string {
  return firstLine(stderr.slice(stderr.indexOf(SIMULATED_PREFIX)));
}

/** What is shown of a check that fails without a word. */
export function failureText({ name, message = '' }: HealthCheck): string {
  return firstLine(message).replace(/\.$/, '') || `health check ${name} failed`;
}

const WORST_FIRST: readonly HealthVerdict[] = ['Failing', 'Unknown', 'Simulated', 'Passing'];
const BEST_FIRST: readonly HealthVerdict[] = ['Passing', 'Unknown', 'Simulated', 'Failing'];

/**
 * The outcomes in several pods as one: with `any` the best one, else the worst one. Pods of that verdict with different messages are
 * each named; `pod` is then empty.
 *
 * @param outcomes in the order of the pods' names; not empty
 */
export function mergeOutcomes(check: Pick<HealthCheck, 'mode'>, outcomes: readonly HealthOutcome[]): HealthOutcome {
  const order = check.mode === 'any' ? BEST_FIRST : WORST_FIRST;
  const verdict = order.find((each) => outcomes.some((outcome) => outcome.verdict === each)) ?? 'Unknown';
  const same = outcomes.filter((outcome) => outcome.verdict === verdict);
  const [first] = same;
  if (first === undefined) return { verdict, message: '', pod: '' };
  const isPassing = verdict === 'Passing';
  if (same.every(({ message }) => message === first.message)) {
    return { verdict, message: first.message, pod: isPassing && same.length > 1 ? '' : first.pod };
  }
  // Of several pods that fail, the first one says enough: the message is one line.
  if (!isPassing) return first;
  return { verdict, message: shorten(same.map(({ pod, message }) => `${pod}: ${message}`).join('; ')), pod: '' };
}
