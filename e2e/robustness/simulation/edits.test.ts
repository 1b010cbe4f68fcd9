import { expect, it } from 'vitest';
import { randomInteger, seededRandom } from '@/lib/random/random';
import { pick } from './make-plans';
import { plainScript } from './plain-script';
import { runScenario } from './run-scenario';
import type { Script, TimedAction } from './scenario';

const EDITS = 1_000;
const LONGEST_PAUSE_MS = 500;

/** Edits while plans run; most of them come before the controller has acted upon the edit before. */
function editedAgainAndAgain(seed: string): Script {
  const random = seededRandom(seed);
  const script = plainScript('sim-1', 'own', 'random', 'config');
  const [deploy] = Object.values(script.plans);
  const actions = Array.from({ length: EDITS }, (): TimedAction => {
    const name = pick(random, ['A', 'B', 'ON']);
    const value = name === 'ON' ? pick(random, ['true', 'false']) : `v${randomInteger(random, 1_000)}`;
    return { do: 'set', parameters: { [name]: value }, afterMs: randomInteger(random, LONGEST_PAUSE_MS) };
  });
  return { ...script, actions, plans: deploy === undefined ? {} : { deploy, update: deploy, backup: deploy } };
}

it(`C19 loses none of ${EDITS} edits of one Instance, while 20 % of the requests fail and controllers die`, async () => {
  const seed = 'a thousand edits';
  const { violations, observation } = await runScenario(
    { scripts: [editedAgainAndAgain(seed)], isPatient: false },
    { seed, faultPercent: 20, disturbsControllers: true, hasConsole: false, keepsTrace: false },
  );
  expect(violations).toEqual([]);
  expect(observation.executions.size).toBeGreaterThan(3);
});
