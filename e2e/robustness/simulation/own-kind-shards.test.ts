import { describe, expect, it } from 'vitest';
import { objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { ADOPT_ANNOTATION, OWNED_BY_ANNOTATION } from '@/lib/kudo/own-kinds/names';
import { newInstance } from '@/lib/kudo/package/to-objects';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { shardOf } from '@/lib/kudo/shards/shards';
import type { OperatorVersion } from '@/lib/kudo/types';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { installVersions } from '@/server/packages/install';
import { prepareInstall } from '@/server/packages/prepare-install';
import { pondWithKinds } from '@/test/operators/own-kinds-package';
import type { SimulatedProcess } from './process';
import { startSimulation } from './simulation';

const SHARDS = 3;
const NS = 'default';
const PONDS = { group: 'pond.example.com', version: 'v1', resource: 'ponds', namespace: NS } as const;
const FEEDS = { ...PONDS, resource: 'feeds' } as const;

/** A name in this shard. */
const named = (prefix: string, shard: number): string => {
  for (let n = 0; ; n++) if (shardOf(`${NS}/${prefix}-${n}`, SHARDS) === shard) return `${prefix}-${n}`;
};
const shards = [0, 1, 2];
const ponds = shards.map((shard) => named('pond', shard));
/** The Instances of these resources exist before them. */
const adopted = shards.map((shard) => named('old', shard));
/** Each is about a pond of another shard. */
const feeds = shards.map((shard) => ({ name: named('feed', shard), pond: ponds[(shard + 1) % SHARDS] ?? '' }));

const resource = (kind: string, name: string, spec: object, annotations = {}) => ({
  apiVersion: 'pond.example.com/v1',
  kind,
  metadata: { name, annotations },
  spec: { ...spec },
});

/** A write of a controller to a resource of an own kind. */
interface OwnWrite {
  readonly by: string;
  readonly name: string;
}

/** Three controllers hold a shard each; the one of the first shard dies after `writes` writes to resources, while all of them are at work. */
async function withDeathAfter(writes: number) {
  const own: OwnWrite[] = [];
  /** What every resource said after each change of it. */
  const said = new Map<string, string[]>();
  const living: SimulatedProcess[] = [];
  let victim: SimulatedProcess | undefined;
  /** Writes by a process that does not hold the shard of the resource. */
  const strange: OwnWrite[] = [];
  const simulation = await startSimulation({
    seed: `own kinds ${writes}`,
    faultRate: { percent: 0 },
    podDelayMs: 1_000,
    shards: SHARDS,
    onCall: ({ by, request: { method, path } }) => {
      const [, name = ''] = /\/pond\.example\.com\/v1\/namespaces\/default\/[a-z]+\/([a-z0-9-]+)/.exec(path) ?? [];
      if (method === 'GET' || name === '') return;
      own.push({ by, name });
      const holder = living.find((each) => each.controller.leadsShard(shardOf(`${NS}/${name}`, SHARDS)));
      if (holder?.name !== by) strange.push({ by, name });
      if (victim !== undefined && own.filter((each) => each.by === victim?.name).length >= writes) victim.crash();
    },
  });
  const { scheduler, people, sandbox } = simulation;
  const holders = () => shards.map((shard) => living.find(({ controller }) => controller.leadsShard(shard))?.name);
  const isMet = async (done: () => Promise<boolean>) => {
    for (let second = 0; second < 600; second++) {
      if (await done()) return true;
      await scheduler.pass(1_000);
    }
    return false;
  };
  const phaseIs = async (target: typeof PONDS | typeof FEEDS, name: string, phase: string) =>
    stringAt(await people.get({ ...target, name }), 'status', 'phase') === phase;
  const instanceOf = (name: string) => people.get({ ...INSTANCES, namespace: NS, name });

  const script = async () => {
    const loaded = pondWithKinds();
    const context = { catalogue: new PackageCatalogue({ bundledDir: '/nowhere' }), scope: loaded.scope };
    await installVersions(people, await prepareInstall({ loaded, context, namespace: NS }));
    for (const target of [PONDS, FEEDS]) {
      sandbox.api.watch({ ...target }, ({ type, object }) => note(said, type === 'DELETED', object));
    }
    while (living.length < SHARDS) living.push(await simulation.startController());
    await scheduler.until(() => new Set(holders()).size === SHARDS && !holders().includes(undefined), 60_000);
    const version = (await people.get({ ...OPERATOR_VERSIONS, namespace: NS, name: 'pond-0.1.0' })) as OperatorVersion;
    for (const name of adopted) {
      const made = newInstance(version, { namespace: NS, name, parameters: { SIZE: '2', DEPTH: '4' } });
      await people.create({ ...INSTANCES, namespace: NS }, made);
    }
    victim = living.find(({ controller }) => controller.leadsShard(0));
    for (const name of ponds) await people.create(PONDS, resource('Pond', name, { size: 1 }));
    for (const { name, pond } of feeds) await people.create(FEEDS, resource('Feed', name, { pond, food: name }));
    for (const name of adopted) await people.create(PONDS, resource('Pond', name, {}, { [ADOPT_ANNOTATION]: 'true' }));
    const isWhole = await isMet(async () => {
      const of = [...ponds, ...adopted].map((name) => phaseIs(PONDS, name, 'Running'));
      return (await Promise.all([...of, ...feeds.map(({ name }) => phaseIs(FEEDS, name, 'Completed'))])).every(Boolean);
    });
    const runs = (await people.list({ ...PLAN_RUNS, namespace: NS })).items as PlanRun[];
    const owned = await Promise.all(adopted.map(instanceOf));
    const before = own.length;
    await scheduler.pass(300_000);
    const writesAtRest = own.length - before;
    for (const name of ponds) await people.delete({ ...PONDS, name });
    const isGone = await isMet(async () => {
      const left = await Promise.all(ponds.flatMap((name) => [people.get({ ...PONDS, name }), instanceOf(name)]));
      return left.every((each) => each === undefined);
    });
    return { isWhole, isGone, runs, owned, writesAtRest };
  };
  const result = await scheduler.drive(script());
  const hasDied = victim?.clock.isDead === true;
  await simulation.stop();
  return { ...result, hasDied, strange, said };
}

function note(said: Map<string, string[]>, isGone: boolean, { kind, metadata, status, spec }: KubeObject): void {
  const key = `${kind} ${metadata.name ?? ''}`;
  const { finalizers = [], deletionTimestamp = '' } = metadata;
  const text = JSON.stringify([
    spec ?? {},
    objectAt({ status: status ?? {} }, 'status'),
    finalizers,
    deletionTimestamp,
  ]);
  if (!isGone) said.set(key, [...(said.get(key) ?? []), text]);
}

describe('own kinds with three shards, of which one dies', () => {
  it.each([1, 3, 8])('after %i of its writes: each resource has one Instance or one run', async (writes) => {
    const { isWhole, isGone, runs, owned, writesAtRest, hasDied, strange, said } = await withDeathAfter(writes);
    expect(hasDied).toBe(true);
    expect(isWhole).toBe(true);
    const fed = runs.filter(({ spec }) => spec?.plan === 'feed').map(({ spec }) => [spec?.instanceName, spec?.reason]);
    expect(fed.sort()).toEqual(feeds.map(({ name, pond }) => [pond, `Feed ${name}`]).sort());
    expect(owned.map((each) => each?.metadata.annotations?.[OWNED_BY_ANNOTATION])).toEqual(
      adopted.map((name) => `Pond.pond.example.com/${name}`),
    );
    // What it says is written once: no write repeats the one before it, and none comes when nothing changes.
    for (const [key, texts] of said) expect(new Set(texts).size, `${key}: ${texts.join('\n')}`).toBe(texts.length);
    expect([writesAtRest, strange]).toEqual([0, []]);
    expect(isGone).toBe(true);
  });
});
