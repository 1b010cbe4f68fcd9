import { describe, expect, it } from 'vitest';
import { formatTime } from '@/lib/clock/clock';
import { seededRandom } from '@/lib/random/random';
import { nextUpgradeStatus } from './next-upgrade-status';
import { isUpgradeOver, type OperatorUpgrade, type OperatorUpgradeSpec } from './operator-upgrade';
import type { InstanceFacts } from './upgrade-entry';

const START_MS = Date.parse('2026-11-28T12:00:00Z');
const MINUTE_MS = 60_000;

/** Instances that take moves and run a plan for a minute, and an upgrade that is looked at each half minute. */
class World {
  nowMs = START_MS;
  readonly instances = new Map<string, InstanceFacts & { endsMs?: number }>();
  /** `INSTANCE VERSION`: the plan of that move fails, as often as it is in here. */
  readonly failing: string[] = [];
  /** Every move, in order. */
  readonly moves: string[] = [];
  private uids = 0;
  upgrade: OperatorUpgrade;

  constructor(spec: OperatorUpgradeSpec, version = 'db-1') {
    for (const name of spec.instances ?? []) {
      const last = { plan: 'deploy', uid: `${name}-0`, status: 'COMPLETE', message: undefined } as const;
      this.instances.set(name, { version, isDeleting: false, busy: undefined, last });
    }
    this.upgrade = { apiVersion: '', kind: '', metadata: {}, spec: { operator: 'db', path: ['db-2'], ...spec } };
  }

  edit(spec: OperatorUpgradeSpec): void {
    this.upgrade = { ...this.upgrade, spec: { ...this.upgrade.spec, ...spec } };
  }

  /** @param chance that the controller ends after the status was written, or after each move */
  step(dies: () => boolean = () => false): void {
    const next = nextUpgradeStatus(this.upgrade, this.instances, this.nowMs);
    if (dies()) return;
    this.upgrade = { ...this.upgrade, status: next.status };
    for (const move of next.moves) {
      if (dies()) return;
      this.start(move.entry.name, move.do === 'retry' ? this.versionOf(move.entry.name) : move.version);
    }
  }

  tick(): void {
    this.nowMs += MINUTE_MS / 2;
    for (const [name, { endsMs, ...facts }] of this.instances) {
      if (endsMs === undefined || endsMs > this.nowMs) continue;
      const index = this.failing.indexOf(`${name} ${facts.version}`);
      if (index >= 0) this.failing.splice(index, 1);
      const last = { plan: 'deploy', uid: `${name}-${++this.uids}`, message: index < 0 ? undefined : 'disk full' };
      const status = index < 0 ? 'COMPLETE' : 'FATAL_ERROR';
      this.instances.set(name, { ...facts, busy: undefined, last: { ...last, status } });
    }
  }

  run(count = 200): this {
    for (let index = 0; index < count; index++) {
      this.step();
      this.tick();
    }
    return this;
  }

  /** Until the upgrade is over or paused. */
  settle(): this {
    for (let index = 0; index < 200; index++) {
      this.step();
      if (isUpgradeOver(this.upgrade) || this.upgrade.status?.phase === 'Paused') return this;
      this.tick();
    }
    throw new Error(`it is ${JSON.stringify(this.upgrade.status)}`);
  }

  versionOf(name: string): string {
    return this.instances.get(name)?.version ?? '';
  }

  get versions(): string[] {
    return [...this.instances.values()].map(({ version }) => version);
  }

  get states(): string[] {
    return (this.upgrade.status?.instances ?? []).map(({ state }) => state);
  }

  get end(): (string | undefined)[] {
    const { phase, message } = this.upgrade.status ?? {};
    return [phase, message];
  }

  private start(name: string, version: string): void {
    const facts = this.instances.get(name);
    if (facts === undefined || facts.busy !== undefined) return;
    this.moves.push(`${name} ${version}`);
    this.instances.set(name, { ...facts, version, busy: 'Plan deploy runs.', endsMs: this.nowMs + MINUTE_MS });
  }
}

describe('an upgrade in waves', () => {
  it('moves one Instance after the other, and each only when the one before is done', () => {
    const world = new World({ instances: ['a', 'b', 'c'] });
    world.step();
    expect(world.states).toEqual(['Running', 'Waiting', 'Waiting']);
    expect(world.upgrade.status).toMatchObject({ phase: 'Running', wave: 1, waves: 3, upgraded: 0 });
    world.settle();
    expect(world.moves).toEqual(['a db-2', 'b db-2', 'c db-2']);
    expect(world.end).toEqual(['Complete', 'All 3 Instances are upgraded.']);
    expect(world.upgrade.status?.finishedAt).toBe(formatTime(world.nowMs));
  });

  it('moves as many at once as a wave has', () => {
    const world = new World({ instances: ['a', 'b', 'c', 'd', 'e'], waveSize: 2 });
    world.step();
    expect(world.states).toEqual(['Running', 'Running', 'Waiting', 'Waiting', 'Waiting']);
    expect(world.settle().end[0]).toBe('Complete');
    expect(world.upgrade.status?.waves).toBe(3);
  });

  it('goes through every version of the path before the next wave', () => {
    const world = new World({ instances: ['a', 'b'], path: ['db-2', 'db-3'] }).settle();
    expect(world.moves).toEqual(['a db-2', 'a db-3', 'b db-2', 'b db-3']);
  });

  it('begins at the version that an Instance has, and leaves alone what is there', () => {
    const world = new World({ instances: ['a', 'b'], path: ['db-2', 'db-3'] });
    world.instances.set('a', { ...world.instances.get('a'), version: 'db-3' } as InstanceFacts);
    world.instances.set('b', { ...world.instances.get('b'), version: 'db-2' } as InstanceFacts);
    expect(world.settle().moves).toEqual(['b db-3']);
    expect(world.end[0]).toBe('Complete');
  });

  it('is not over by an old failure of a plan that the move did not start', () => {
    const world = new World({ instances: ['a'] });
    const last = { plan: 'backup', uid: 'old', status: 'FATAL_ERROR', message: 'no space' } as const;
    world.instances.set('a', { version: 'db-1', isDeleting: false, busy: undefined, last });
    world.step();
    world.instances.set('a', { version: 'db-2', isDeleting: false, busy: undefined, last });
    expect(world.settle().end[0]).toBe('Complete');
  });

  it('ends at once without Instances', () => {
    expect(new World({ instances: [] }).settle().end[0]).toBe('Complete');
  });
});

describe('a failure', () => {
  const failed = (spec: OperatorUpgradeSpec = {}, failing = ['b db-2']) => {
    const world = new World({ instances: ['a', 'b', 'c'], ...spec });
    world.failing.push(...failing);
    return world.settle();
  };

  it('pauses the upgrade, and no later wave begins', () => {
    const world = failed();
    expect(world.end).toEqual(['Paused', 'Wave 2 failed. Instance b: Plan deploy failed: disk full']);
    expect(world.states).toEqual(['Upgraded', 'Failed', 'Waiting']);
    world.run(10);
    expect(world.moves).toEqual(['a db-2', 'b db-2']);
  });

  it('is tried again when somebody resumes, and only then', () => {
    const world = failed();
    world.edit({ resume: 1 });
    expect(world.settle().end[0]).toBe('Complete');
    expect(world.moves).toEqual(['a db-2', 'b db-2', 'b db-2', 'c db-2']);
    expect(world.upgrade.status?.resumed).toBe(1);
  });

  it('pauses again when it fails again', () => {
    const world = failed({}, ['b db-2', 'b db-2']);
    world.edit({ resume: 1 });
    expect(world.settle().end[0]).toBe('Paused');
    world.edit({ resume: 2 });
    expect(world.settle().end[0]).toBe('Complete');
  });

  it('lets the others of its wave finish', () => {
    const world = failed({ waveSize: 3, path: ['db-2', 'db-3'] });
    expect(world.states).toEqual(['Upgraded', 'Failed', 'Upgraded']);
  });

  it('takes its wave back, and no other one', () => {
    const world = failed({ instances: ['a', 'b', 'c', 'd', 'e'], waveSize: 2, rollBackWave: true }, ['d db-2']);
    expect(world.versions).toEqual(['db-2', 'db-2', 'db-1', 'db-1', 'db-1']);
    expect(world.states).toEqual(['Upgraded', 'Upgraded', 'RolledBack', 'RolledBack', 'Waiting']);
    expect(world.end).toEqual(['Paused', 'Wave 2 went back. Instance d: Plan deploy failed: disk full']);
    world.edit({ resume: 1 });
    expect(world.settle().end[0]).toBe('Complete');
    expect(world.versions).toEqual(Array(5).fill('db-2'));
  });

  it('of the way back is said, and waits for a person', () => {
    const world = failed({ rollBackWave: true }, ['b db-2', 'b db-1']);
    expect(world.states).toEqual(['Upgraded', 'RollBackFailed', 'Waiting']);
    expect(world.end[0]).toBe('Paused');
    world.edit({ resume: 1 });
    expect(world.settle().end[0]).toBe('Complete');
  });

  it('goes back over several versions at once', () => {
    const world = failed({ instances: ['a'], path: ['db-2', 'db-3'], rollBackWave: true }, ['a db-3']);
    expect(world.moves).toEqual(['a db-2', 'a db-3', 'a db-1']);
  });

  it('does not stop the others when the upgrade is to go on', () => {
    const world = failed({ pauseOnFailure: false });
    expect(world.states).toEqual(['Upgraded', 'Failed', 'Upgraded']);
    expect(world.end).toEqual(['Failed', 'Instance b: Plan deploy failed: disk full']);
  });

  it('is an Instance that does not exist, is deleted, or was moved by somebody else', () => {
    const world = new World({ instances: ['a', 'b', 'c'], waveSize: 3, pauseOnFailure: false });
    world.instances.delete('a');
    world.step();
    world.instances.set('b', { ...world.instances.get('b'), isDeleting: true } as InstanceFacts);
    world.instances.set('c', { ...world.instances.get('c'), version: 'db-9' } as InstanceFacts);
    world.step();
    expect(world.upgrade.status?.instances?.map(({ message }) => message)).toEqual([
      'Instance a does not exist.',
      'Instance b is being deleted.',
      'Instance c was moved to db-9 by somebody else.',
    ]);
  });

  it('is a plan that takes longer than its time', () => {
    const world = new World({ instances: ['a'], instanceTimeoutMinutes: 5 });
    world.step();
    world.instances.set('a', {
      ...world.instances.get('a'),
      version: 'db-2',
      busy: 'Plan deploy runs.',
      endsMs: Infinity,
    } as never);
    world.run(13);
    expect(world.end).toEqual([
      'Paused',
      'Wave 1 failed. Instance a: Not finished within 5 minutes. Plan deploy runs.',
    ]);
  });
});

describe('steering', () => {
  it('pauses after what runs, and goes on', () => {
    const world = new World({ instances: ['a', 'b'], path: ['db-2', 'db-3'] });
    world.step();
    world.edit({ pause: true });
    world.step();
    expect(world.end[0]).toBe('Running');
    expect(world.settle().end).toEqual(['Paused', 'Paused by spec.pause.']);
    expect(world.moves).toEqual(['a db-2']);
    world.edit({ pause: false });
    expect(world.run().end[0]).toBe('Complete');
    expect(world.moves).toEqual(['a db-2', 'a db-3', 'b db-2', 'b db-3']);
  });

  it('cancels after what runs, and says what was left out', () => {
    const world = new World({ instances: ['a', 'b'] });
    world.step();
    world.edit({ cancel: true });
    expect(world.settle().end[0]).toBe('Cancelled');
    expect(world.states).toEqual(['Upgraded', 'Skipped']);
  });

  it('takes everything back, also after the end, but for what somebody has moved since', () => {
    const world = new World({ instances: ['a', 'b', 'c'], waveSize: 3 }).settle();
    world.instances.set('c', { ...world.instances.get('c'), version: 'db-3' } as InstanceFacts);
    world.edit({ rollBack: true });
    expect(world.settle().versions).toEqual(['db-1', 'db-1', 'db-3']);
    expect(world.end).toEqual(['Failed', 'Instance c was moved to db-3 by somebody else.']);
    const before = world.upgrade.status;
    world.run(5);
    expect(world.upgrade.status).toEqual(before);
  });

  it('takes back what was begun, and leaves out the rest', () => {
    const world = new World({ instances: ['a', 'b', 'c'] });
    world.run(4);
    world.edit({ rollBack: true });
    expect(world.settle().end[0]).toBe('RolledBack');
    expect(world.versions).toEqual(['db-1', 'db-1', 'db-1']);
    expect(world.states.at(-1)).toBe('Skipped');
  });
});

describe('a maintenance window', () => {
  const window = { start: '0 22 * * *', durationMinutes: 2, timeZone: 'Europe/Berlin' };

  it('lets nothing start outside of it; what runs goes on, and the rest waits for the next one', () => {
    const world = new World({ instances: ['a', 'b', 'c'], window });
    world.step();
    expect(world.end).toEqual(['Running', 'The maintenance window is closed; it opens at 2026-11-28T21:00:00Z.']);
    expect(nextUpgradeStatus(world.upgrade, world.instances, world.nowMs).wakeMs).toBe(
      Date.parse('2026-11-28T21:00:00Z'),
    );
    world.nowMs = Date.parse('2026-11-28T21:00:00Z');
    world.run(30);
    expect(world.states).toEqual(['Upgraded', 'Upgraded', 'Waiting']);
    expect(world.end[1]).toBe('The maintenance window is closed; it opens at 2026-11-29T21:00:00Z.');
  });

  it('does not keep a wave from going back', () => {
    const world = new World({ instances: ['a'], window: { ...window, durationMinutes: 1 }, rollBackWave: true });
    world.failing.push('a db-2');
    world.nowMs = Date.parse('2026-11-28T21:00:00Z');
    expect(world.settle().states).toEqual(['RolledBack']);
  });

  it('that is none pauses the upgrade, and says what is wrong', () => {
    const world = new World({ instances: ['a'], window: { ...window, start: 'at night' } }).settle();
    expect(world.end).toEqual(['Paused', expect.stringContaining('"at night" is no cron expression')]);
  });
});

describe('a controller that ends', () => {
  it.each(Array.from({ length: 40 }, (_, index) => index))('anywhere leads to the same end (seed %i)', (seed) => {
    const random = seededRandom(`waves ${seed}`);
    const spec = {
      instances: ['a', 'b', 'c', 'd'],
      waveSize: 1 + (seed % 3),
      path: ['db-2', 'db-3'],
      rollBackWave: seed % 2 === 0,
    };
    const failing = seed % 3 === 0 ? ['c db-3'] : [];
    const end = (dies: () => boolean) => {
      const world = new World(spec);
      world.failing.push(...failing);
      for (let index = 0; index < 400; index++) {
        world.step(dies);
        world.tick();
      }
      return [world.upgrade.status?.phase, world.states, world.versions, [...world.moves].sort()];
    };
    expect(end(() => (random.bytes(1)[0] ?? 0) < 100)).toEqual(end(() => false));
  });
});
