import { expect, it } from 'vitest';
import { INSTANCES, OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds/crds';
import { NOTICES_LABEL } from '@/lib/kudo/notices/notice';
import type { Instance } from '@/lib/kudo/types';
import { UNUSED_MS } from '@/server/drift/kept-while-needed';
import { isAtRest } from './at-rest';
import { plainScript } from './plain-script';
import { isWatch } from './requests';
import { INSTANCE, instanceOf, operatorsOf } from './script-objects';
import { startSimulation } from './simulation';

const namespace = 'default';
const KEY = { ...INSTANCES, namespace, name: INSTANCE };
const MINUTE_MS = 60_000;
/** No watch is open for longer than this without a new request. */
const REOPENED_MS = 2 * MINUTE_MS;

it('ends the watch of a kind that no Instance with self-heal has any more, and starts it again with the next such Instance', async () => {
  let watched = new Set<string>();
  const simulation = await startSimulation({
    seed: 'unneeded watches',
    faultRate: { percent: 0 },
    podDelayMs: 1_000,
    onCall: ({ request }) => {
      // Notices are watched always, by their label.
      const isOfNotices = decodeURIComponent(request.path).includes(NOTICES_LABEL);
      if (isWatch(request) && !isOfNotices) watched.add(/\/([a-z]+)\?/.exec(request.path)?.[1] ?? request.path);
    },
  });
  const { people, scheduler, sandbox, clock } = simulation;
  const script = { ...plainScript(namespace, 'own'), selfHeals: true };
  const { operators, versions } = operatorsOf(script);
  const pass = (ms: number) => {
    const endMs = clock.now() + ms;
    return scheduler.until(() => clock.now() >= endMs, 2 * ms);
  };
  const isWatched = async () => {
    watched = new Set();
    await pass(REOPENED_MS);
    return { configmaps: watched.has('configmaps'), scalers: watched.has('horizontalpodautoscalers') };
  };
  const install = async () => {
    await people.create({ ...INSTANCES, namespace }, instanceOf(script));
    const isDone = () => isAtRest(sandbox.api.get(KEY) as Instance | undefined);
    expect(await scheduler.until(isDone, 2 * MINUTE_MS)).toBe(true);
    await pass(MINUTE_MS);
  };
  await scheduler.drive(
    (async () => {
      for (const operator of operators) sandbox.api.create({ ...OPERATORS, namespace }, operator);
      for (const version of versions) sandbox.api.create({ ...OPERATOR_VERSIONS, namespace }, version);
      const { controller } = await simulation.startController();
      await controller.synced;
      await install();
      expect(await isWatched()).toEqual({ configmaps: true, scalers: true });
      await people.delete(KEY);
      expect(await isWatched()).toEqual({ configmaps: true, scalers: true });
      await pass(UNUSED_MS);
      expect(await isWatched()).toEqual({ configmaps: false, scalers: false });
      await install();
      expect(await isWatched()).toEqual({ configmaps: true, scalers: true });
      await people.delete({
        group: '',
        version: 'v1',
        resource: 'configmaps',
        namespace,
        name: `${INSTANCE}-deploy-own`,
      });
      await pass(MINUTE_MS);
      expect(
        sandbox.api.get({
          group: '',
          version: 'v1',
          resource: 'configmaps',
          namespace,
          name: `${INSTANCE}-deploy-own`,
        }),
      ).toBeDefined();
    })(),
  );
  expect(watched.has('instances')).toBe(true);
  await simulation.stop();
});
