import { CrashLife, type CrashReference } from './crash-life';
import type { CrashSetup } from './crash-setup';
import { undisturbed } from './disturbance';
import { volatilePaths } from './end-state';
import type { Subject } from './subjects';
import { type CrashPoint, type KillTime, POINTS } from './writes';

export type { CrashReference } from './crash-life';

export interface CrashResult {
  readonly problems: readonly string[];
  /** Points at which it was killed; for a time, whether it was. */
  readonly reached: ReadonlySet<CrashPoint>;
  readonly killedAtTime: boolean;
  /** Points whose turn came. One that was not reached then is a write that this life did without. */
  readonly tried: ReadonlySet<CrashPoint>;
  /** How long the life took; undefined when it did not come to its end. */
  readonly durationMs?: number;
}

/** Two runs without a crash: what differs between them differs by nature, and a write of either is a write. */
export async function makeReference(setup: CrashSetup, subject: Subject): Promise<CrashReference> {
  const play = () =>
    undisturbed(
      () => new CrashLife(setup, subject).play(),
      () => sayAgain(subject),
    );
  const first = await play();
  const second = await play();
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

/** Every write of a reference with every point, in the order of the life. */
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

/** Plays the subject's life once more with a controller that is killed at those points or that time, and compares. */
export async function crashAt(
  setup: CrashSetup,
  reference: CrashReference,
  crash: readonly CrashPoint[] | KillTime,
): Promise<CrashResult> {
  // Of the life that is judged: what was reached in one that was cut off does not count.
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

/** Plays the subject's life once more, under whatever disturbs the setup now, and compares. */
export async function playAgain(setup: CrashSetup, reference: CrashReference): Promise<readonly string[]> {
  const life = new CrashLife(setup, reference.subject, [], reference);
  const { witness } = await life.play();
  return [...life.problems, ...witness.differencesFrom(reference.witness)];
}
