import type { JsonObject } from '@/lib/json/json';
import { ENTRY_STATES, UPGRADE_PHASES } from '@/lib/kudo/upgrades/operator-upgrade';
import { limits } from '@/lib/limits/limits';
import { boolean, list, map, object, string } from './schema-words';

const NAME_CHARS = 253;
const VALUE_CHARS = 100_000;
/** Values have no limit that the API server could reckon the cost of a comparison with. */
const FIXED = ['operator', 'instances', 'path', 'plan', 'waveSize'];

/** `OperatorUpgrade.spec`. */
export function operatorUpgradeSpecSchema(): JsonObject {
  const { instances, steps, parameters } = limits.upgrades;
  return {
    ...object('', {
      operator: name('The operator of every Instance.'),
      instances: {
        ...list(name(''), 'Names of Instances in the same namespace, in the order of the waves.'),
        ...{ minItems: 1, maxItems: instances, 'x-kubernetes-list-type': 'set' },
      },
      path: {
        ...list(
          name(''),
          'Names of OperatorVersions in the same namespace: each Instance moves to one after the other.',
        ),
        ...{ minItems: 1, maxItems: steps },
      },
      plan: name('A plan that runs once on each Instance, instead of moving it along a path.'),
      parameters: {
        ...map(
          { type: 'string', maxLength: VALUE_CHARS },
          'Values that go with the moves, each as soon as a version defines the parameter.',
        ),
        maxProperties: parameters,
      },
      waveSize: { type: 'integer', minimum: 1, maximum: instances, description: 'Instances at once; 1 when absent.' },
      ...waveFields(),
      confirm: { ...name('The name of the operator: confirms the starts of destructive plans.') },
      reason: { ...string('Why, for the records of the runs.'), maxLength: 500 },
      pause: boolean('Nothing new starts while this is true.'),
      resume: {
        type: 'integer',
        minimum: 0,
        description: 'A higher number continues a paused upgrade, and tries again what failed in its wave.',
      },
      cancel: boolean('Nothing new starts, and the upgrade is over when what runs has ended.'),
      rollBack: boolean('Every Instance that was moved goes back to the version and values from before.'),
    }),
    required: ['operator', 'instances'],
    'x-kubernetes-validations': [
      ...FIXED.map((field) => ({
        rule: `has(self.${field}) == has(oldSelf.${field}) && (!has(self.${field}) || self.${field} == oldSelf.${field})`,
        message: `${field} is fixed; create another OperatorUpgrade`,
      })),
      { rule: 'has(self.path) != has(self.plan)', message: 'exactly one of path and plan is required' },
      {
        rule: '!has(self.plan) || !has(self.parameters)',
        message: 'parameters go with a path; a plan runs with the values of each Instance',
      },
      {
        rule: '!has(self.plan) || ((!has(self.rollBack) || !self.rollBack) && (!has(self.rollBackWave) || !self.rollBackWave))',
        message: 'the run of a plan cannot be rolled back',
      },
      {
        rule: "!has(self.confirm) || self.confirm == '' || self.confirm == self.operator",
        message: 'confirm must be the name of the operator',
      },
    ],
  };
}

/** How waves end, and when they may start; subscriptions have the same. */
export function waveFields(): { [name: string]: JsonObject } {
  return {
    pauseOnFailure: boolean('True when absent: a failure ends the wave, and a person decides.'),
    rollBackWave: boolean('A wave with a failure goes back to the versions and values from before.'),
    instanceTimeoutMinutes: {
      ...{ type: 'integer', minimum: 1, maximum: 10_080 },
      description: 'A plan that takes longer counts as failed; 60 when absent.',
    },
    window: {
      ...object('When moves may start; always when absent.', {
        start: { ...string('When it begins: a cron expression.'), minLength: 1, maxLength: 100 },
        durationMinutes: { type: 'integer', minimum: 1, maximum: 10_080 },
        timeZone: { ...string('The IANA time zone; UTC when absent.'), minLength: 1, maxLength: 64 },
      }),
      required: ['start', 'durationMinutes'],
    },
  };
}

/** `OperatorUpgrade.status`. */
export function operatorUpgradeStatusSchema(): JsonObject {
  const time = (description: string) => ({ type: 'string', format: 'date-time', description });
  const number = (description: string) => ({ type: 'integer', description });
  const entry = object('', {
    name: string(),
    wave: number('From 1.'),
    state: { ...string(), enum: [...ENTRY_STATES] },
    from: string('The OperatorVersion before the upgrade.'),
    step: number('The index in spec.path of the version that it moves to.'),
    since: time('When this step, or the way back, began.'),
    lastUid: string('The execution that was the latest one when this step began.'),
    retryOf: string('The execution that failed and is tried again.'),
    message: string('What it waits for, or why it ended so.'),
    problem: string('Why it failed; stays while it goes back.'),
  });
  return object('', {
    phase: { ...string('Paused waits for a person.'), enum: [...UPGRADE_PHASES] },
    message: string('What the upgrade waits for, or how it ended.'),
    wave: number('The wave that moves now, from 1.'),
    waves: number('How many waves there are.'),
    upgraded: number('How many Instances have the last version.'),
    resumed: number('The number of spec.resume that was obeyed last.'),
    startedAt: time(''),
    finishedAt: time(''),
    instances: list(entry, 'What became of each Instance, in the order of the waves.'),
  });
}

/** The API server reckons the costs of rules with the longest text. */
function name(description: string): JsonObject {
  return { ...string(description), minLength: 1, maxLength: NAME_CHARS };
}
