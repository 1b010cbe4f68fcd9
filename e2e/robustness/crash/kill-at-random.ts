import { type Random, randomInteger } from '@/lib/random/random';
import { type CrashReference, crashAt, makeReference } from './crash-run';
import type { CrashSetup } from './crash-setup';
import type { Subject } from './subjects';

export interface KillsResult {
  readonly kills: number;
  /** A sentence for each run whose result differs from the run without the kill. */
  readonly problems: readonly string[];
}

/**
 * Kills the controller this many times, each time at a random moment of the life of one of the subjects in turn, and compares each
 * result with an undisturbed run. A kill after the end of the run does not count.
 */
export async function killAtRandom(
  setup: CrashSetup,
  subjects: readonly Subject[],
  options: { kills: number; random: Random; onRound?: (subject: Subject, problems: readonly string[]) => void },
): Promise<KillsResult> {
  const references = new Map<Subject, CrashReference>();
  /** The duration of the last undisturbed run: the machine may be slower or faster than at the time of the reference. */
  const durations = new Map<Subject, number>();
  const problems: string[] = [];
  let kills = 0;
  for (let round = 0; kills < options.kills && round < 3 * options.kills; round++) {
    const subject = subjects[round % subjects.length];
    if (subject === undefined) break;
    const reference = references.get(subject) ?? (await makeReference(setup, subject));
    references.set(subject, reference);
    const durationMs = durations.get(subject) ?? reference.durationMs;
    const afterMs = randomInteger(options.random, Math.ceil(durationMs));
    const result = await crashAt(setup, reference, { afterMs });
    if (result.killedAtTime) kills += 1;
    else if (result.durationMs !== undefined) durations.set(subject, result.durationMs);
    problems.push(...result.problems.map((each) => `${subject.name}, killed after ${afterMs} ms: ${each}`));
    options.onRound?.(subject, result.problems);
  }
  return { kills, problems };
}
