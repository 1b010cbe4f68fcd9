import { INSTANCES } from '@/lib/kudo/crds/crds';
import { hasUnseenChange } from '@/lib/kudo/plan/acted-upon';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { isTerminal } from '@/lib/kudo/plan/status';
import { runQueueOf } from '@/lib/kudo/queue/run-queue';
import type { Instance } from '@/lib/kudo/types';
import { RUN_SECRET_SUFFIX } from '@/server/runs/run-secret';
import { createInstance, createNamespace, patchInstance } from '@/test/engine/https-engine';
import type { CrashSetup } from './crash-setup';
import { type NamespaceState, namespaceState, stateDifferences } from './end-state';
import { actOnGate } from './gate-actions';
import { Killer } from './killer';
import type { Subject, SubjectAction } from './subjects';
import { Witness } from './witness';
import type { CrashPoint, KillTime } from './writes';

/** A run without a crash; every run with a crash is compared with it. */
export interface CrashReference {
  readonly subject: Subject;
  readonly ends: readonly NamespaceState[];
  readonly volatile: readonly ReadonlySet<string>[];
  readonly witness: Witness;
  /** Every write that followed each action, named, in order. */
  readonly writes: readonly (readonly string[])[];
  /** How long the whole run took. */
  readonly durationMs: number;
}

const INSTANCE = 'app';
/** No request and no change for so long: the controller is idle. It reacts to events within 30 ms. */
const QUIET_MS = 80;
const TURN_MS = 5;
/**
 * Two minutes of turns. They are counted, not timed: when the machine does not run this process for minutes (it contains the
 * server too), time has no meaning.
 */
const PATIENCE_TURNS = 120_000 / TURN_MS;
/** The time in which the garbage collector and the simulated pods follow. */
const SAME_WITHIN_TURNS = 10_000 / TURN_MS;

/** The objects after each action, and what was seen and done on the way. */
export interface PlayedLife {
  readonly ends: readonly NamespaceState[];
  readonly witness: Witness;
  readonly writes: readonly (readonly string[])[];
  readonly durationMs: number;
}

/**
 * One life of an Instance: its users act, each time when it is idle, and the controller is killed at most once after each action.
 * Returns the objects after each action. Throws when the Instance never becomes idle, and when the setup itself does not answer.
 */
export class CrashLife {
  readonly problems: string[] = [];
  readonly killer: Killer;
  private readonly ends: NamespaceState[] = [];
  private readonly namespace: string;

  constructor(
    private readonly setup: CrashSetup,
    private readonly subject: Subject,
    crash: readonly CrashPoint[] | KillTime = [],
    private readonly reference?: CrashReference,
  ) {
    this.namespace = setup.freshName(subject.name);
    this.killer = new Killer(setup, this.namespace, crash);
  }

  /** @param isApart true when each action begins in another second: templates that use the time then render something else each time */
  async play(isApart = false): Promise<PlayedLife> {
    const { setup, subject, killer, namespace } = this;
    const { api, sandbox } = setup.engine;
    await createNamespace(api, namespace);
    const witness = new Witness(sandbox.api, namespace);
    const versions = await subject.prepare(api, namespace);
    killer.start();
    const startedMs = performance.now();
    let durationMs = 0;
    try {
      for (const [index, action] of subject.actions.entries()) {
        if (isApart) await anotherSecond();
        killer.actionBegins(index);
        await this.act(action, versions);
        await this.rest(witness, action);
        this.ends.push(await this.end(index));
      }
      await this.crashAtRest(witness);
      durationMs = performance.now() - startedMs;
      // A controller that was killed after its last request is started again here.
      await killer.alive();
    } finally {
      witness.stop();
      await killer.stop();
      await this.leave();
    }
    return { ends: this.ends, witness, writes: killer.writes, durationMs };
  }

  /** No request followed the answer of the last write, so the crash comes at the end. */
  private async crashAtRest(witness: Witness): Promise<void> {
    const action = this.subject.actions.at(-1);
    if (action === undefined || !this.killer.killAtRest()) return;
    await this.rest(witness, action);
    this.ends.push(await this.end(this.subject.actions.length - 1));
  }

  private async act(action: SubjectAction, versions: readonly string[]): Promise<void> {
    const { api } = this.setup.engine;
    const { namespace } = this;
    switch (action.do) {
      case 'install':
        await createInstance(api, namespace, INSTANCE, {
          version: versions[0] ?? '',
          parameters: action.parameters ?? {},
        });
        return;
      case 'set':
        await patchInstance(api, namespace, INSTANCE, { parameters: action.parameters });
        return;
      case 'trigger':
        await patchInstance(api, namespace, INSTANCE, {
          planExecution: { planName: action.plan, uid: `${action.plan}-by-hand` },
        });
        return;
      case 'upgrade':
        await patchInstance(api, namespace, INSTANCE, { operatorVersion: { name: versions[action.to] ?? '' } });
        return;
      case 'lock':
      case 'unlock':
      case 'break-lock':
      case 'approved-start': {
        const alive = () => this.killer.alive();
        await actOnGate({ engine: this.setup.engine, namespace, name: INSTANCE, alive }, action);
        return;
      }
      case 'delete':
        await api.delete({ ...INSTANCES, namespace, name: INSTANCE });
    }
  }

  /** Waits until the Instance is idle, the controller runs, and nothing was requested or changed for a while. */
  private async rest(witness: Witness, action: SubjectAction): Promise<void> {
    for (let turns = 0; ; turns++) {
      await this.killer.alive();
      const quietSinceMs = Math.max(witness.lastChangeMs, this.killer.lastCallMs);
      const isQuiet = this.setup.proxy.open === 0 && performance.now() - quietSinceMs > QUIET_MS;
      if (isQuiet && isAtRest(this.instance(), action) && this.memories().length === 0) return;
      if (turns > PATIENCE_TURNS) {
        const { spec, status } = this.instance() ?? {};
        throw new Error(
          `I1: after ${action.do} the Instance does not become idle: ${JSON.stringify({ spec, status, memories: this.memories() })}`,
        );
      }
      await turn();
    }
  }

  /** The Secrets of runs, which are deleted when the runs are over. */
  private memories(): string[] {
    const secrets = { group: '', version: 'v1', resource: 'secrets', namespace: this.namespace };
    const names = this.setup.engine.sandbox.api.list(secrets).map(({ metadata }) => metadata.name ?? '');
    return names.filter((name) => name.endsWith(RUN_SECRET_SUFFIX));
  }

  private instance(): Instance | undefined {
    const key = { ...INSTANCES, namespace: this.namespace, name: INSTANCE };
    return this.setup.engine.sandbox.api.get(key) as Instance | undefined;
  }

  /** The state now; with a reference, the state as soon as it is the same, and the differences when it never is. */
  private async end(index: number): Promise<NamespaceState> {
    const now = () => namespaceState(this.setup.engine.sandbox.api, this.namespace);
    const wanted = this.reference?.ends[index];
    if (wanted === undefined) return now();
    for (let turns = 0; ; turns++) {
      const state = now();
      const found = stateDifferences(wanted, state, this.reference?.volatile[index] ?? new Set());
      if (found.length === 0) return state;
      if (turns > SAME_WITHIN_TURNS) {
        this.problems.push(...found.slice(0, 8).map((each) => `after ${this.subject.actions[index]?.do}: ${each}`));
        return state;
      }
      await turn();
    }
  }

  /** Deletes the namespace; nothing in it may prevent that. */
  private async leave(): Promise<void> {
    const { api, sandbox } = this.setup.engine;
    const target = { group: '', version: 'v1', resource: 'namespaces', name: this.namespace };
    await api.delete(target);
    for (let turns = 0; sandbox.api.get(target) !== undefined && turns < SAME_WITHIN_TURNS; turns++) await turn();
  }
}

function isAtRest(instance: Instance | undefined, action: SubjectAction): boolean {
  if (instance === undefined) return action.do === 'delete';
  if (action.do === 'delete' || instance.metadata.deletionTimestamp !== undefined) return false;
  if ((instance.spec?.planExecution?.planName ?? '') !== '') return false;
  if (actedUpon(instance) === undefined || hasUnseenChange(instance)) return false;
  if (runQueueOf(instance).entries.length > 0) return false;
  const statuses = Object.values(instance.status?.planStatus ?? {});
  return statuses.length > 0 && statuses.every(({ status }) => status === 'NEVER_RUN' || isTerminal(status));
}

/** Lets everything else run first. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, TURN_MS));
}

/** Waits for the next second of the wall clock, which is what templates see. */
async function anotherSecond(): Promise<void> {
  const second = () => Math.floor(Date.now() / 1_000);
  const before = second();
  while (second() === before) await turn();
}
