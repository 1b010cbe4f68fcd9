import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomInteger, seededRandom } from '@/lib/random/random';
import { type CrashReference, crashAt, crashPoints, makeReference } from './crash-run';
import { type CrashSetup, startCrashSetup } from './crash-setup';
import { killAtRandom } from './kill-at-random';
import { shareLives } from './share-lives';
import { allSubjects } from './subjects';
import { type CrashPoint, describeCrash } from './writes';

/** `npm run simulate -- --crash` kills at every write of every operator. */
const EVERY_WRITE = 'parallel';
const SAMPLED = ['growing', 'toggle', 'again', 'pipe', 'cleanup', 'fails', 'upgrade', 'nested', 'gated', 'postgres'];
const SAMPLES = 60;
/** `npm run simulate -- --kills 200` */
const KILLS = 20;
const SEED = process.env.BRAVO_SEED ?? '1';

describe('a controller that is killed around a write leaves the same objects as without the kill (R1)', () => {
  let setup: CrashSetup;
  beforeAll(async () => {
    setup = await startCrashSetup();
    await setup.controllers.startWhole();
  });
  afterAll(() => setup?.stop());

  const subjectOf = (name: string) => {
    const found = allSubjects().find((subject) => subject.name === name);
    if (found === undefined) throw new Error(`there is no operator ${name}`);
    return found;
  };

  /** Plays all points and returns how many were reached. A failure names the command that replays it. */
  const crash = async (reference: CrashReference, points: readonly CrashPoint[]): Promise<number> => {
    let reached = 0;
    const { name } = reference.subject;
    const play = (together: readonly CrashPoint[]) => crashAt(setup, reference, together);
    await shareLives(points, play, (_, verdict) => {
      if (verdict.is === 'passed') reached += 1;
      if (verdict.is !== 'failed') return;
      const at = verdict.together.map(describeCrash).join(' + ');
      expect(verdict.problems, `npm run simulate -- --crash --operator ${name} --at '${at}'`).toEqual([]);
    });
    return reached;
  };

  it(`C01 C02 C03 C04: at every write of the operator ${EVERY_WRITE}, at three points`, async () => {
    const reference = await makeReference(setup, subjectOf(EVERY_WRITE));
    const points = crashPoints(reference);
    expect(points.length).toBeGreaterThan(40);
    // No request may follow the very last write, so there is no point after it.
    expect(await crash(reference, points)).toBeGreaterThanOrEqual(points.length - 2);
  }, 240_000);

  it('C01 C02 C03: at every write with which volumes grow, at three points', async () => {
    const reference = await makeReference(setup, subjectOf('growing'));
    const growth = /(persistentvolumeclaims|statefulsets)/;
    const points = crashPoints(reference).filter(({ action, write }) => action === 1 && growth.test(write));
    const writes = new Set(points.map(({ write }) => write));
    // Dry runs are among them: that of the StatefulSet, and the first of each claim.
    expect(writes).toEqual(
      new Set([
        'PATCH apps/v1/statefulsets/app-db',
        'PATCH v1/persistentvolumeclaims/data-app-db-0',
        'PATCH v1/persistentvolumeclaims/data-app-db-1',
        'DELETE apps/v1/statefulsets/app-db',
        'POST apps/v1/statefulsets',
      ]),
    );
    expect(await crash(reference, points)).toBe(points.length);
  }, 240_000);

  const random = seededRandom(`crash test ${SEED}`);
  const draws = SAMPLED.map((name, index) => {
    const count = Math.floor(SAMPLES / SAMPLED.length) + (index < SAMPLES % SAMPLED.length ? 1 : 0);
    return { name, numbers: Array.from({ length: count }, () => randomInteger(random, 1_000_000)) };
  });
  for (const { name, numbers } of draws) {
    it(`C01–C06: at ${numbers.length} random writes of the operator ${name} (seed ${SEED})`, async () => {
      const reference = await makeReference(setup, subjectOf(name));
      const points = crashPoints(reference);
      const drawn = numbers.flatMap((number) => points[number % points.length] ?? []);
      expect(await crash(reference, drawn)).toBeGreaterThan(drawn.length / 2);
    }, 240_000);
  }

  it(`R2: ${KILLS} kills at random times with ${SAMPLED.length} operators (seed ${SEED})`, async () => {
    const subjects = SAMPLED.map(subjectOf);
    const result = await killAtRandom(setup, subjects, { kills: KILLS, random: seededRandom(`kills ${SEED}`) });
    expect(result).toEqual({ kills: KILLS, problems: [] });
  }, 480_000);
});
