import { expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { ConflictError } from '@/lib/errors/errors';
import type { PlanStatus } from '@/lib/kudo/types';
import type { Api, Target } from '@/server/kube/api';
import { SHARED_MS, StepStatuses } from './step-statuses';

const CONFIG: Target = { group: '', version: 'v1', resource: 'configmaps', namespace: 'n', name: 'a' };
const OTHER: Target = { ...CONFIG, name: 'b' };
const JOB: Target = { group: 'batch', version: 'v1', resource: 'jobs', namespace: 'n', name: 'a' };
const OBJECT = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

/** A pass whose statuses have the name of the step that begins; `said` is what was stored and written, in order. */
function startPass({ refuses = '' } = {}) {
  const clock = new VirtualClock();
  const said: string[] = [];
  const state = { isAsKnown: true };
  const noted = (verb: string) => async (target: Target) => {
    said.push(`${verb} ${target.resource}/${target.name}`);
    return OBJECT;
  };
  const statuses = new StepStatuses({
    clock,
    async store({ name }) {
      if (name === refuses) throw new ConflictError('The Instance has changed.', 'Changed');
      said.push(`store ${name}`);
    },
    isAsKnown: () => state.isAsKnown,
  });
  const verbs = { get: noted('get'), create: noted('create'), patch: noted('patch'), delete: noted('delete') };
  const api = statuses.watched(verbs as unknown as Api);
  return {
    clock,
    said,
    state,
    statuses,
    api,
    begins: (name: string, phases: PlanStatus['phases'] = []) => statuses.begins({ name, phases }),
  };
}

it('stores the first step of a pass, and leaves out the next ones that only apply objects which may be applied again', async () => {
  const { said, api, begins } = startPass();
  await begins('one');
  await api.patch(CONFIG, 'merge', {});
  await begins('two');
  await api.create({ ...OTHER, name: undefined }, { ...OBJECT, metadata: { name: 'b' } });
  await begins('three');
  expect(said).toEqual(['store one', 'patch configmaps/a', 'create configmaps/undefined']);
});

it('stores a step that begins while the stored status says that another one waits or is tried again', async () => {
  for (const trouble of [{ status: 'ERROR' }, { status: 'IN_PROGRESS', message: 'waits for a pod' }] as const) {
    const { said, begins } = startPass();
    await begins('one', [{ name: 'other', steps: [{ name: 'again', ...trouble }] }]);
    await begins('two');
    await begins('three');
    expect(said).toEqual(['store one', 'store two']);
  }
});

it('stores a step that begins after one that has looked at an object with pods, or deleted an object', async () => {
  for (const ask of [(api: Api) => api.get(JOB), (api: Api) => api.delete(CONFIG)]) {
    const { said, api, begins } = startPass();
    await begins('one');
    await ask(api);
    await begins('two');
    await begins('three');
    expect(said.filter((words) => words.startsWith('store'))).toEqual(['store one', 'store two']);
  }
});

it('stores a step before it writes an object that a step before it wrote or looked for', async () => {
  for (const ask of [(api: Api) => api.patch(CONFIG, 'merge', {}), (api: Api) => api.get(CONFIG)]) {
    const { said, api, begins } = startPass();
    await begins('one');
    await ask(api);
    await begins('two');
    await begins('three');
    await api.patch(OTHER, 'merge', {});
    await Promise.all([api.patch(CONFIG, 'merge', {}), api.patch(CONFIG, 'merge', {})]);
    await begins('four');
    await api.patch(CONFIG, 'merge', {});
    expect(said.slice(2)).toEqual([
      'patch configmaps/b',
      'store three',
      'patch configmaps/a',
      'patch configmaps/a',
      'store four',
      'patch configmaps/a',
    ]);
  }
});

it('stores a step that begins, or writes, after two hundred milliseconds', async () => {
  const { clock, said, api, begins } = startPass();
  await begins('one');
  await clock.advance(SHARED_MS);
  await begins('two');
  await clock.advance(1);
  await api.patch(CONFIG, 'merge', {});
  await begins('three');
  await clock.advance(SHARED_MS + 1);
  await begins('four');
  expect(said).toEqual(['store one', 'store two', 'patch configmaps/a', 'store four']);
});

it('stores a step that begins when the Instance has changed', async () => {
  const { said, state, begins } = startPass();
  await begins('one');
  state.isAsKnown = false;
  await begins('two');
  expect(said).toEqual(['store one', 'store two']);
});

it('writes nothing more when a status could not be stored', async () => {
  const { said, statuses, api, begins } = startPass({ refuses: 'two' });
  await begins('one');
  await api.patch(CONFIG, 'merge', {});
  await begins('two');
  await expect(api.patch(CONFIG, 'merge', {})).rejects.toThrow(ConflictError);
  await expect(api.patch(OTHER, 'merge', {})).rejects.toThrow(ConflictError);
  await expect(statuses.check()).rejects.toThrow(ConflictError);
  expect(said).toEqual(['store one', 'patch configmaps/a']);
});
