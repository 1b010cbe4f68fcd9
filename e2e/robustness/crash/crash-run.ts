import { TransientError } from '@/lib/errors/errors';
import { CrashLife, type Reference } from './crash-life';
import type { CrashWorld } from './crash-world';
import { volatilePaths } from './end-state';
import type { Subject } from './subjects';
import { type CrashPoint, type KillTime, POINTS } from './writes';

export type { Reference } from './crash-life';

export interface CrashResult {
  readonly problems: readonly string[];
  /** False when the controller never came to that write: the run proves nothing. */
  readonly crashed: boolean;
  /** How long the life took; undefined when it did not come to its end. */
  readonly durationMs?: number;
}

/** Times that one life is played again. */
const MOST_DISTURBED = 3;

/** Two runs without a crash: what differs between them differs by nature. */
export async function makeReference(world: CrashWorld, subject: Subject): Promise<Reference> {
  const first = await undisturbed(world, subject);
  const second = await undisturbed(world, subject);
  return {
    subject,
    ends: first.ends,
    volatile: first.ends.map((end, index) => volatilePaths(end, second.ends[index] ?? new Map())),
    witness: first.witness,
    writes: first.writes,
    durationMs: second.durationMs,
  };
}

async function undisturbed(world: CrashWorld, subject: Subject) {
  for (let disturbed = 0; ; disturbed++) {
    try {
      return await new CrashLife(world, subject).play();
    } catch (error) {
      if (!isDisturbance(error) || disturbed === MOST_DISTURBED) throw error;
    }
  }
}

/** Only what people do throws such an error: the life was cut off by the machine, and says nothing about the controller. */
function isDisturbance(error: unknown): boolean {
  return error instanceof TransientError && error.reason === 'Timeout';
}

/** Every write of a reference with every point. */
export function crashPoints({ writes }: Reference): CrashPoint[] {
  const counts = new Map<string, number>();
  return writes.flatMap((write) => {
    const nth = (counts.get(write) ?? 0) + 1;
    counts.set(write, nth);
    return POINTS.map((point) => ({ write, nth, point }));
  });
}

/** Plays the subject's life once more with a controller that is killed at that point, and compares. */
export async function crashAt(
  world: CrashWorld,
  reference: Reference,
  crash: CrashPoint | KillTime,
): Promise<CrashResult> {
  for (let disturbed = 0; ; disturbed++) {
    const result = await crashOnce(world, reference, crash);
    if (result !== 'disturbed') return result;
    if (disturbed === MOST_DISTURBED)
      return { crashed: false, problems: ['the server of the run itself gives no answers'] };
    console.log(`${reference.subject.name}: played again, the server of the run itself was without a processor`);
  }
}

async function crashOnce(
  world: CrashWorld,
  reference: Reference,
  crash: CrashPoint | KillTime,
): Promise<CrashResult | 'disturbed'> {
  const run = new CrashLife(world, reference.subject, crash, reference);
  try {
    const { witness, durationMs } = await run.play();
    return {
      durationMs,
      crashed: run.crashed,
      problems: [...run.problems, ...witness.differencesFrom(reference.witness)],
    };
  } catch (error) {
    if (isDisturbance(error)) return 'disturbed';
    const output = world.controllers.acting.output().split('\n').slice(-12).join('\n');
    return { crashed: run.crashed, problems: [`${String(error)}\n${output}`] };
  }
}

/** Plays the subject's life once more, under whatever disturbs the world now, and compares. */
export async function playAgain(world: CrashWorld, reference: Reference): Promise<readonly string[]> {
  const run = new CrashLife(world, reference.subject, undefined, reference);
  const { witness } = await run.play();
  return [...run.problems, ...witness.differencesFrom(reference.witness)];
}
