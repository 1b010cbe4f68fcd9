import { expect, it } from 'vitest';
import { arrayAt, isJsonObject, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import { plainScript } from './plain-script';
import { type RunResult, runScenario } from './run-scenario';
import type { Script } from './scenario';
import { endStateDifferences } from './simulate';

const SCRIPT: Script = {
  ...plainScript('sim-1', 'own', 'web'),
  actions: [
    { do: 'set', parameters: { A: 'new' }, afterMs: 0 },
    { do: 'upgrade', afterMs: 0 },
  ],
};

function run(options: { hasWebhook: boolean; isPatient?: boolean; tamperReview?: (answer: string) => string }) {
  const { isPatient = true, ...rest } = options;
  // Long enough for the deploy plan to be in progress, not for its end.
  const actions = SCRIPT.actions.map((action) => ({ ...action, afterMs: isPatient ? 0 : 2_000 }));
  return runScenario(
    { scripts: [{ ...SCRIPT, actions }], isPatient },
    { seed: 'door', faultPercent: 0, disturbsControllers: false, hasConsole: false, keepsTrace: true, ...rest },
  );
}

const answered = ({ observation }: RunResult) => observation.trace.filter((line) => line.endsWith(' none answered'));

it('has the same result with and without the webhook', async () => {
  const [without, asked] = [await run({ hasWebhook: false }), await run({ hasWebhook: true })];
  expect(asked.violations).toEqual([]);
  expect(endStateDifferences(without.end, asked.end)).toEqual([]);
  expect(answered(without)).toEqual([]);
  // The check whether the API server reaches it, the Instance (when it comes after the registration), the edit and the upgrade.
  expect(answered(asked).length).toBeGreaterThanOrEqual(3);
});

it('accepts an edit after the plan that the API refused during the plan', async () => {
  const { violations, observation } = await run({ hasWebhook: true, isPatient: false });
  expect(violations).toEqual([]);
  expect(observation.executions.size).toBe(3);
});

it('I6 finds a webhook that records an edit and schedules no plan', async () => {
  const { violations } = await run({ hasWebhook: true, tamperReview: withoutPlan });
  expect(violations.join()).toContain('I6: Instance sim is idle, but plan deploy was recorded and never started');
});

/** The answer without the operations that schedule a plan. */
function withoutPlan(answer: string): string {
  const review: unknown = JSON.parse(answer);
  const response = objectAt(review, 'response');
  const patch = stringAt(response, 'patch');
  if (patch === undefined || !isJsonObject(review)) return answer;
  const operations: unknown = JSON.parse(Buffer.from(patch, 'base64').toString());
  const kept = arrayAt({ operations }, 'operations').filter(
    (operation) => stringAt(operation, 'path')?.startsWith('/spec/planExecution') !== true,
  );
  const tampered: JsonObject = { ...response, patch: Buffer.from(JSON.stringify(kept)).toString('base64') };
  return JSON.stringify({ ...review, response: tampered });
}
