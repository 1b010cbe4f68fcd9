import { TransientError } from '@/lib/errors/errors';
import { CrashLife, type PlayedLife, type Reference } from './crash-life';
import type { CrashWorld } from './crash-world';
import { volatilePaths } from './end-state';
import type { Subject } from './subjects';
import { type CrashPoint, type KillTime, POINTS } from './writes';

export type { Reference } from './crash-life';

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

/** Times that one life is played again. */
const MOST_DISTURBED = 3;

/** Two runs without a crash: what differs between them differs by nature, and a write of either is a write. */
export async function makeReference(world: CrashWorld, subject: Subject): Promise<Reference> {
  const first = await undisturbed(world, subject);
  const second = await undisturbed(world, subject);
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

async function undisturbed(world: CrashWorld, subject: Subject): Promise<PlayedLife> {
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

/** Every write of a reference with every point, in the order of the life. */
export function crashPoints({ writes }: Reference): CrashPoint[] {
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
  world: CrashWorld,
  reference: Reference,
  crash: readonly CrashPoint[] | KillTime,
): Promise<CrashResult> {
  for (let disturbed = 0; ; disturbed++) {
    const result = await crashOnce(world, reference, crash);
    if (result !== 'disturbed') return result;
    if (disturbed === MOST_DISTURBED) {
      const problems = ['the server of the run itself gives no answers'];
      return { reached: new Set(), tried: new Set('afterMs' in crash ? [] : crash), killedAtTime: false, problems };
    }
    console.log(`${reference.subject.name}: played again, the server of the run itself was without a processor`);
  }
}

async function crashOnce(
  world: CrashWorld,
  reference: Reference,
  crash: readonly CrashPoint[] | KillTime,
): Promise<CrashResult | 'disturbed'> {
  const life = new CrashLife(world, reference.subject, crash, reference);
  const { tried, reached } = life.killer;
  try {
    const { witness, durationMs } = await life.play();
    const { killedAtTime } = life.killer;
    const problems = [...life.problems, ...witness.differencesFrom(reference.witness)];
    return { durationMs, tried, reached, killedAtTime, problems };
  } catch (error) {
    if (isDisturbance(error)) return 'disturbed';
    const output = world.controllers.acting.output().split('\n').slice(-12).join('\n');
    const { killedAtTime } = life.killer;
    return { tried, reached, killedAtTime, problems: [`${String(error)}\n${output}`] };
  }
}

/** Plays the subject's life once more, under whatever disturbs the world now, and compares. */
export async function playAgain(world: CrashWorld, reference: Reference): Promise<readonly string[]> {
  const life = new CrashLife(world, reference.subject, [], reference);
  const { witness } = await life.play();
  return [...life.problems, ...witness.differencesFrom(reference.witness)];
}
