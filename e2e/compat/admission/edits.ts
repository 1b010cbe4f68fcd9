import type { JsonObject } from '@/lib/json/json';

/** The outcome of an edit. */
export type Expected =
  /** This plan starts, under a new uid, whatever uid was sent. */
  | {
      readonly runs: string;
      /** (Bravo) The plan that runs after it. KUDO refuses the edit. */
      readonly next?: string;
    }
  /** (Bravo) Waits: what is in progress goes on, and this plan is in the queue of the Instance. KUDO refuses it. */
  | { readonly queues: string }
  /** Refused with a text that contains this. */
  | { readonly denied: string }
  /** Stored, and no plan starts. */
  | { readonly stored: true };

export interface EditCase {
  readonly id: string;
  readonly what: string;
  /** The version that is deployed before; `plain` is idle, `busy` is in the middle of its deploy plan. */
  readonly version: 'plain' | 'busy' | 'only-deploy';
  readonly parameters?: { readonly [name: string]: string };
  /** A merge patch of `spec`. */
  readonly edit: JsonObject;
  readonly expected: Expected;
  /**
   * What the controller decides about the same edit when the API called no webhook; the same when absent. The edit is in `spec`
   * already: it waits for the end of a running plan; of an edit that is partly refused it reverts the plan and acts upon the rest.
   */
  readonly withoutWebhook?: Expected | 'waits';
}

const idle = (id: string, what: string, edit: JsonObject, expected: Expected): EditCase => ({
  id,
  what,
  version: 'plain',
  edit,
  expected,
});
const running = (id: string, what: string, edit: JsonObject, expected: Expected): EditCase => ({
  id,
  what,
  version: 'busy',
  edit,
  expected,
});

const set = (...names: string[]) => ({ parameters: Object.fromEntries(names.map((name) => [name, 'new'])) });
const startPlan = (planName: string) => ({ planExecution: { planName, uid: 'mine' } });
const upgradeTo = (version: string) => ({ operatorVersion: { name: `case-${version}` } });

const MIXTURE = 'cannot be asked for together';

/** The cases of admission (updates of an Instance that is not being deleted), with and without the webhook. */
export const EDITS: readonly EditCase[] = [
  idle('ADM-10', 'a plan is started', startPlan('deploy'), { runs: 'deploy' }),
  idle('ADM-11', 'a plan that does not exist', startPlan('zip'), { denied: 'plan zip does not exist' }),
  idle('ADM-12', 'the cleanup plan', startPlan('cleanup'), { denied: 'plan cleanup does not exist' }),
  running('ADM-13', 'the running plan under another uid', startPlan('deploy'), { runs: 'deploy' }),
  running('ADM-14', 'the running plan without a uid', { planExecution: { uid: null } }, { runs: 'deploy' }),
  running('ADM-15', 'another plan', startPlan('update'), { queues: 'update' }),
  running(
    'ADM-16',
    'the running plan removed',
    { planExecution: null },
    { denied: 'plan "deploy" is scheduled or running' },
  ),
  running('ADM-19', 'a status that is not terminal', { planExecution: { status: 'PENDING' } }, { stored: true }),
  idle('ADM-20', 'a parameter with a trigger', set('foo'), { runs: 'deploy' }),
  idle('ADM-21', 'two with the same trigger', set('foo', 'other-foo'), { runs: 'deploy' }),
  idle('ADM-22', 'one without a trigger', set('plain'), { runs: 'update' }),
  {
    ...idle('ADM-23', 'one without a trigger and without an update plan', set('plain'), { runs: 'deploy' }),
    version: 'only-deploy',
  },
  idle('ADM-24', 'a trigger of any plan', set('keep'), { runs: 'backup' }),
  idle('ADM-25', 'a trigger that names no plan', set('lost'), {
    denied: 'triggers plan "missing", which does not exist',
  }),
  idle('ADM-26', 'two triggers', set('foo', 'bar'), { runs: 'deploy', next: 'update' }),
  idle('ADM-27', 'one with and one without a trigger', set('keep', 'plain'), { runs: 'backup' }),
  running('ADM-29', 'a parameter of the running plan', set('foo'), { runs: 'deploy' }),
  running('ADM-30', 'a parameter of another plan', set('bar'), { queues: 'update' }),
  {
    ...idle('ADM-31', 'a parameter and a plan', { ...set('foo'), ...startPlan('backup') }, { denied: MIXTURE }),
    withoutWebhook: { runs: 'deploy' },
  },
  idle('ADM-32', 'an unknown parameter', set('stray'), { denied: 'parameter "stray" is not defined' }),
  {
    ...idle('ADM-33', 'a parameter removed', { parameters: { foo: null } }, { runs: 'deploy' }),
    parameters: { foo: 'old' },
  },
  {
    ...idle(
      'ADM-34',
      '(fixed, T-25) two removed, one of them unknown',
      { parameters: { foo: null, stray: null } },
      { runs: 'deploy' },
    ),
    parameters: { foo: 'old', stray: 'old' },
  },
  {
    ...idle('ADM-35', 'an immutable parameter', set('fixed'), { denied: 'cannot be changed from "old" to "new"' }),
    parameters: { fixed: 'old' },
  },
  {
    ...idle('ADM-36', 'a parameter beside an immutable one', set('foo'), { runs: 'deploy' }),
    parameters: { fixed: 'old' },
  },
  {
    ...idle(
      'ADM-37',
      '(fixed, T-14) an immutable parameter removed',
      { parameters: { fixed: null } },
      { denied: 'immutable' },
    ),
    parameters: { fixed: 'old' },
  },
  idle('ADM-38', 'a version with all three plans', upgradeTo('up-all'), { runs: 'upgrade' }),
  idle('ADM-39', 'a version without an upgrade plan', upgradeTo('up-update'), { runs: 'update' }),
  idle('ADM-40', 'a version with deploy only', upgradeTo('up-deploy'), { runs: 'deploy' }),
  idle('ADM-41', 'a version with none of the three', upgradeTo('up-none'), { denied: 'none of the plans' }),
  {
    ...running('ADM-42', 'another version', upgradeTo('up-all'), {
      denied: 'operator version cannot be changed while plan "deploy"',
    }),
    withoutWebhook: 'waits',
  },
  {
    ...idle('ADM-43', 'a version and a plan', { ...upgradeTo('up-all'), ...startPlan('backup') }, { denied: MIXTURE }),
    withoutWebhook: { runs: 'upgrade' },
  },
  idle('ADM-44', 'a version and a parameter of deploy', { ...upgradeTo('up-all'), ...set('foo') }, { runs: 'upgrade' }),
  idle(
    'ADM-45',
    'a version and a parameter of another plan',
    { ...upgradeTo('up-all'), ...set('keep') },
    { runs: 'upgrade', next: 'backup' },
  ),
  idle('ADM-46', 'a version and its new parameter', { ...upgradeTo('up-new'), ...set('extra') }, { runs: 'update' }),
  idle('ADM-47', 'a version with a new required parameter', upgradeTo('up-required'), { denied: '"need"' }),
  idle('ADM-48', 'a version with a new immutable parameter', upgradeTo('up-immutable'), { denied: '"extra"' }),
  idle('ADM-49', 'the same, with its value', { ...upgradeTo('up-immutable'), ...set('extra') }, { runs: 'update' }),
  {
    ...idle('ADM-50', 'a version that drops a parameter', upgradeTo('up-less'), { runs: 'update' }),
    parameters: { plain: 'old' },
  },
  idle('ADM-51', 'a version that makes a parameter immutable', upgradeTo('up-fixes'), { denied: '"plain"' }),
  {
    ...idle('ADM-51', 'the same, with its value', upgradeTo('up-fixes'), { runs: 'update' }),
    parameters: { plain: 'old' },
  },
  {
    ...idle('ADM-52', 'a version that makes a parameter mutable', upgradeTo('up-frees'), { runs: 'update' }),
    parameters: { fixed: 'old' },
  },
  idle(
    'ADM-53',
    '(fixed, T-23) the kind of the reference',
    { operatorVersion: { kind: 'OperatorVersion' } },
    { stored: true },
  ),
  idle('PRM-01', 'a value of the wrong type', set('number'), { denied: 'failed to validate parameters' }),
];
