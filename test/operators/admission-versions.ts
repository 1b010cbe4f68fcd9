import type { OperatorVersionSpec, Parameter, Plan } from '@/lib/kudo/types';
import { plan, task } from './templates';

const parameter = (name: string, rest: Partial<Parameter> = {}): Parameter => ({ name, required: false, ...rest });

const PARAMETERS = [
  parameter('foo', { trigger: 'deploy' }),
  parameter('other-foo', { trigger: 'deploy' }),
  parameter('bar', { trigger: 'update' }),
  parameter('plain'),
  parameter('keep', { trigger: 'backup' }),
  parameter('lost', { trigger: 'missing' }),
  parameter('fixed', { immutable: true }),
  parameter('number', { 'value-type': 'integer' }),
];

const QUICK = ['deploy', 'update', 'backup'];

function version(number: string, plans: readonly string[], parameters: Parameter[] = PARAMETERS): OperatorVersionSpec {
  const byName = Object.fromEntries(plans.map((name): [string, Plan] => [name, plan(['run', 'quick'])]));
  return {
    version: number,
    tasks: [task('quick', 'Dummy', { done: true }), task('stuck', 'Dummy')],
    plans: byName,
    parameters,
  };
}

const stuck = (spec: OperatorVersionSpec, name: string): OperatorVersionSpec => ({
  ...spec,
  plans: { ...spec.plans, [name]: plan(['run', 'stuck']) },
});

/** Every version of the operator of the admission cases; its name says how it differs from `plain`. */
export const VERSIONS: { readonly [name: string]: OperatorVersionSpec } = {
  plain: version('plain', QUICK),
  busy: stuck(version('busy', QUICK), 'deploy'),
  leaving: stuck(version('leaving', [...QUICK, 'cleanup']), 'cleanup'),
  'only-deploy': version('only-deploy', ['deploy']),
  'up-all': version('up-all', ['upgrade', 'update', 'deploy', 'backup']),
  'up-update': version('up-update', QUICK),
  'up-deploy': version('up-deploy', ['deploy', 'backup']),
  'up-none': version('up-none', ['backup']),
  'up-new': version('up-new', QUICK, [...PARAMETERS, parameter('extra', { trigger: 'backup' })]),
  'up-required': version('up-required', QUICK, [...PARAMETERS, parameter('need', { required: true })]),
  'up-immutable': version('up-immutable', QUICK, [
    ...PARAMETERS,
    parameter('extra', { immutable: true, default: 'd' }),
  ]),
  'up-less': version(
    'up-less',
    QUICK,
    PARAMETERS.filter(({ name }) => name !== 'plain'),
  ),
  'up-fixes': version(
    'up-fixes',
    QUICK,
    PARAMETERS.map((each) => (each.name === 'plain' ? { ...each, immutable: true } : each)),
  ),
  'up-frees': version(
    'up-frees',
    QUICK,
    PARAMETERS.map((each) => (each.name === 'fixed' ? parameter('fixed') : each)),
  ),
};
