import { expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { type Answer, scriptedApi } from '@/server/kube/test-api';
import { silentLog } from '@/server/log/log';
import { awaitFormerManager } from './former-manager';

const container = (more: JsonObject) => ({ name: 'manager', image: 'registry.test/mirror:1', ...more });
const KUDO = container({ command: ['/root/manager'] });

const managers = (one: JsonObject, readyReplicas = 1): Answer => ({
  body: {
    kind: 'StatefulSetList',
    apiVersion: 'apps/v1',
    metadata: { resourceVersion: '1' },
    items: [
      {
        metadata: { name: 'kudo-controller-manager', namespace: 'kudo-system' },
        spec: { template: { spec: { containers: [one] } } },
        status: { readyReplicas },
      },
    ],
  },
});
const NONE: Answer = { body: { kind: 'StatefulSetList', apiVersion: 'apps/v1', metadata: {}, items: [] } };

/** Waits before a cluster whose StatefulSets are given look by look, the last answer for ever. */
function waiting(answers: readonly Answer[], gitVersion = 'v1.21.0') {
  let looks = 0;
  const { api, clock } = scriptedApi(({ path }) =>
    path.startsWith('/version') ? { body: { gitVersion } } : (answers[Math.min(looks++, answers.length - 1)] ?? NONE),
  );
  const said: string[] = [];
  const log = { ...silentLog, warn: (event: string, facts?: object) => said.push(`${event} ${JSON.stringify(facts)}`) };
  const yields: boolean[] = [];
  const wait = awaitFormerManager({ api, clock, log, onYield: (each) => yields.push(each) });
  let isGone = false;
  wait.gone.then(() => {
    isGone = true;
  });
  /** Lets everything happen that is due within so many looks, and says whether the wait is over. */
  const after = async (timers: number) => {
    await settled();
    for (let count = 0; count < timers && !isGone && clock.runNext(); count++) await settled();
    return isGone;
  };
  return { wait, after, said, yields, looks: () => looks };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it.each([
  ['there is none', NONE],
  ['its StatefulSet is scaled to nothing', managers(KUDO, 0)],
  ['the StatefulSet is that of bravo init', managers(container({ command: ['bravo', 'controller'] }))],
  ['it may not be looked for', { status: 403 }],
] satisfies [string, Answer][])('it goes on at once when %s', async (_case, answer) => {
  const { after, yields } = waiting([answer]);
  expect(await after(0)).toBe(true);
  expect(yields).toEqual([]);
});

it('it goes on in a sandbox, where the pods of a manager only seem to work', async () => {
  expect(await waiting([managers(KUDO)], 'v1.36.0+bravo').after(0)).toBe(true);
});

it.each([
  ['by its command', KUDO],
  ['by its image', container({ image: 'docker.io/kudobuilder/controller:v0.19.0' })],
])("it waits while KUDO's manager works, known %s, and says once how to end that", async (_how, one) => {
  const { after, said, yields } = waiting([managers(one), managers(one), managers(one), NONE]);
  expect(await after(1)).toBe(false);
  expect(yields).toEqual([true]);
  expect(await after(20)).toBe(true);
  expect(yields).toEqual([true, false]);
  expect(said).toEqual([
    expect.stringContaining('kubectl -n kudo-system scale statefulset kudo-controller-manager --replicas 0'),
  ]);
});

it('an API that fails or hangs for a moment is asked again, and no manager that was seen is forgotten for it', async () => {
  const { after, yields } = waiting([{ status: 503 }, managers(KUDO), ...Array(9).fill({ hang: true }), NONE]);
  expect(await after(12)).toBe(false);
  expect(await after(60)).toBe(true);
  expect(yields).toEqual([true, false]);
});

it('it goes on without an answer when the API gives none three times', async () => {
  const { after, looks } = waiting([{ hang: true }]);
  expect(await after(60)).toBe(true);
  expect(looks()).toBe(3);
});

it('it ends its looks with the controller', async () => {
  const { wait, after, looks } = waiting([managers(KUDO)]);
  await after(1);
  wait.stop();
  expect(await after(0)).toBe(true);
  expect(looks()).toBeLessThan(3);
});
