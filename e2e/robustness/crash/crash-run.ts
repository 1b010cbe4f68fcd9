import { CrashLife, type CrashReference } from './crash-life';
import type { CrashSetup } from './crash-setup';
import { undisturbed } from './disturbance';
import { volatilePaths } from './end-state';
import type { Subject } from './subjects';
import { type CrashPoint, type KillTime, POINTS } from './writes';

export type { CrashReference } from './crash-life';

export interface CrashResult {
  readonly problems: readonly string[];
  /** The points at which the controller was killed; for a kill at a time, whether it was killed. */
  readonly reached: ReadonlySet<CrashPoint>;
  readonly killedAtTime: boolean;
  /** Points whose action came. A point that was not reached then is a write that did not happen in this run. */
  readonly tried: ReadonlySet<CrashPoint>;
  /** How long the run took; undefined when it did not finish. */
  readonly durationMs?: number;
}

/**
 * Two runs without a crash: what differs between them differs in every run; the writes of both count. The first one has every change that
 * comes with another time of its plans, however fast the machine is.
 */
export async function makeReference(setup: CrashSetup, subject: Subject): Promise<CrashReference> {
  const play = (isApart: boolean) =>
    undisturbed(
      () => new CrashLife(setup, subject).play(isApart),
      () => sayAgain(subject),
    );
  const first = await play(true);
  const second = await play(false);
  return {
    subject,
    ends: first.ends,
    volatile: first.ends.map((end, index) => volatilePaths(end, second.ends[index] ?? new Map())),
    witness: first.witness,
    writes: first.writes.map((writes, index) => [...writes, ...without(second.writes[index] ?? [], writes)]),
    durationMs: second.durationMs,
  };
}

/** What is left of some words when each of the others has taken one away. */
function without(words: readonly string[], others: readonly string[]): string[] {
  const taken = [...others];
  return words.filter((word) => {
    const at = taken.indexOf(word);
    if (at >= 0) taken.splice(at, 1);
    return at < 0;
  });
}

/** Every write of a reference with every point, in order. */
export function crashPoints({ writes }: CrashReference): CrashPoint[] {
  return writes.flatMap((ofAction, action) => {
    const counts = new Map<string, number>();
    return ofAction.flatMap((write) => {
      const nth = (counts.get(write) ?? 0) + 1;
      counts.set(write, nth);
      return POINTS.map((point) => ({ action, write, nth, point }));
    });
  });
}

/** Plays the subject's life again with a controller that is killed at those points or that time, and compares. */
export async function crashAt(
  setup: CrashSetup,
  reference: CrashReference,
  crash: readonly CrashPoint[] | KillTime,
): Promise<CrashResult> {
  // Of the run that is compared: points that were reached in an interrupted run do not count.
  let life = new CrashLife(setup, reference.subject, crash, reference);
  const about = () => ({
    tried: life.killer.tried,
    reached: life.killer.reached,
    killedAtTime: life.killer.killedAtTime,
  });
  const again = () => {
    sayAgain(reference.subject);
    life = new CrashLife(setup, reference.subject, crash, reference);
  };
  try {
    const { witness, durationMs } = await undisturbed(() => life.play(), again);
    return { ...about(), durationMs, problems: [...life.problems, ...witness.differencesFrom(reference.witness)] };
  } catch (error) {
    const output = setup.controllers.acting.output().split('\n').slice(-12).join('\n');
    return { ...about(), problems: [`${String(error)}\n${output}`] };
  }
}

function sayAgain({ name }: Subject): void {
  console.log(`${name}: played again, the server of the run itself was without a processor`);
}

/** Plays the subject's life again, with the faults that the setup has now, and compares. */
export async function playAgain(setup: CrashSetup, reference: CrashReference): Promise<readonly string[]> {
  const life = new CrashLife(setup, reference.subject, [], reference);
  const { witness } = await life.play();
  return [...life.problems, ...witness.differencesFrom(reference.witness)];
}
