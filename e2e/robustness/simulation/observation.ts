import { createHash } from 'node:crypto';
import { objectAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { lockOf } from '@/lib/kudo/lock/instance-lock';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { runOfMemory } from '@/server/runs/run-secret';
import type { ObjectEvent } from '@/server/sandbox/api';
import { approvals } from '../invariants/approvals';
import { cacheTruth } from '../invariants/cache-truth';
import type { Fact } from '../invariants/fact';
import { liveness, NEXT_RECONCILE_MS, UNWATCHED_MS } from '../invariants/liveness';
import { locks } from '../invariants/locks';
import { noWayBack } from '../invariants/no-way-back';
import { nothingLost } from '../invariants/nothing-lost';
import { observe } from '../invariants/observe';
import { once } from '../invariants/once';
import { oneRecord } from '../invariants/one-record';
import { oneRunASlot } from '../invariants/one-run-a-slot';
import { oneWriter } from '../invariants/one-writer';
import { planOrder } from '../invariants/plan-order';
import { repaired } from '../invariants/repaired';
import { retries } from '../invariants/retries';
import { runQueue } from '../invariants/run-queue';
import { sameInputs } from '../invariants/same-inputs';
import { watchGuarantees } from '../invariants/watch-guarantees';
import { isAtRest } from './at-rest';
import { LeaseHolders } from './lease-holders';
import { BY_HAND } from './play-script';
import { RemovedByHand } from './removed-by-hand';
import type { Simulation } from './simulation';
import type { HeardCall } from './simulation-options';

/** Requests of one process at one virtual time; a busy process sends a few dozen. */
const MOST_AT_ONCE = 2_000;
/** Characters of the trace. */
const HASHED_AT_ONCE = 16_384;

/** Turns what happens in a simulation into facts, has every invariant check them, and keeps the trace. */
export class Observation {
  /** Executions of plans that started. */
  readonly executions = new Set<string>();
  /** What users deleted by hand, which the controller may create again. */
  readonly removed = new RemovedByHand();
  calls = 0;
  private readonly hash = createHash('sha256');
  /** Lines that are not in the hash yet: hashing many short lines is slower than one long line. */
  private unhashed = '';
  private readonly lines: string[] = [];
  private readonly known = new Map<string, KubeObject>();
  private readonly atOnce = new Map<string, { atMs: number; calls: number }>();
  private readonly busy = new WeakMap<Instance, boolean>();
  /** When an Instance was locked last. */
  private readonly lockedAtMs = new Map<string, number>();
  private readonly instances = new Map<string, Instance>();
  /** Which processes run, and since when. */
  private processes = { states: '', sinceMs: 0 };
  private readonly observer = observe([
    liveness,
    once((object) => isSwitched(object) || this.removed.mayReturn(object)),
    sameInputs({ isRenderedOnce: (object) => isRendered(object) && !isByHand(object), memoryOf: runOfMemory }),
    planOrder,
    noWayBack,
    oneRecord,
    runQueue,
    oneRunASlot,
    locks,
    approvals,
    retries,
    nothingLost((instance) => this.versionOf(instance)),
    oneWriter,
    cacheTruth,
    watchGuarantees,
    repaired,
  ]);
  private simulation: Simulation | undefined;

  private readonly holders: LeaseHolders;

  constructor(
    private readonly keepsLines: boolean,
    shards = 1,
  ) {
    this.holders = new LeaseHolders(shards);
  }

  get violations(): readonly string[] {
    return this.observer.violations;
  }

  get trace(): readonly string[] {
    return this.lines;
  }

  /** SHA-256 of every call and every change: the same for the same seed. */
  digest(): string {
    return this.hash.copy().update(this.unhashed).digest('hex').slice(0, 16);
  }

  take(fact: Fact): void {
    this.observer.take(fact);
  }

  /** Watches a simulation from now on. */
  attach(simulation: Simulation): void {
    this.simulation = simulation;
    simulation.sandbox.api.watchAll((event) => this.onChange(simulation, event));
    simulation.scheduler.onQuiet(() => this.checkInstances(simulation));
  }

  onCall({ by, request, status }: HeardCall): void {
    this.calls++;
    const { method, path, body } = request;
    this.note(`call ${by} ${method} ${path} ${status}`);
    this.countAtOnce(by, path);
    if (method === 'GET') return;
    const holder = this.simulation && this.holders.holderFor(this.simulation.sandbox, by, path);
    const text = body === undefined ? undefined : typeof body === 'string' ? body : Buffer.from(body).toString();
    this.take({ fact: 'call', atMs: this.nowMs, by, holder, method, path, body: text, status });
  }

  /** @throws Error that makes the process back off, so that the run ends and reports the violation */
  private countAtOnce(by: string, path: string): void {
    const atMs = this.nowMs;
    const before = this.atOnce.get(by);
    const calls = before?.atMs === atMs ? before.calls + 1 : 1;
    this.atOnce.set(by, { atMs, calls });
    if (calls < MOST_AT_ONCE) return;
    this.take({ fact: 'rush', atMs, by, calls, path });
    throw new Error('too many requests without a pause');
  }

  onReview(words: string): void {
    this.note(`${this.nowMs} ${words}`);
  }

  /** True when a controller leads, and no controller reconciles an Instance or has one in its queue. */
  isIdle(simulation: Simulation): boolean {
    const living = simulation.processes.filter(({ clock }) => !clock.isDead);
    const means = (key: string) => living.some(({ controller }) => controller.requeueAfterMs(key) !== undefined);
    return living.some(({ controller }) => controller.leads) && ![...this.instances.keys()].some(means);
  }

  private onChange(simulation: Simulation, { type, object, resource }: ObjectEvent): void {
    const id = object.metadata.uid ?? '';
    const before = this.known.get(id);
    if (type === 'DELETED') this.known.delete(id);
    else this.known.set(id, object);
    this.note(
      `${simulation.clock.now()} ${type} ${object.kind} ${namespaceOf(object)}/${nameOf(object)} ${object.metadata.resourceVersion}`,
    );
    if (object.kind === 'Instance') this.followInstance(type, object as Instance);
    const name = `${resource.group}/${resource.resource}`;
    this.take({ fact: 'change', atMs: simulation.clock.now(), type, resource: name, object, before });
  }

  private followInstance(type: ObjectEvent['type'], instance: Instance): void {
    const key = `${namespaceOf(instance)}/${nameOf(instance)}`;
    if (type === 'DELETED') this.instances.delete(key);
    else this.instances.set(key, instance);
    this.holders.follow(instance);
    for (const { uid } of Object.values(instance.status?.planStatus ?? {})) {
      if (uid !== undefined && uid !== '') this.executions.add(uid);
    }
  }

  /** I1: whether a leading controller will reconcile each Instance, and when. */
  private checkInstances(simulation: Simulation): void {
    const leaders = simulation.processes.filter(
      ({ clock, controller }) => !clock.isDead && !clock.isFrozen && controller.leads,
    );
    const atMs = simulation.clock.now();
    const states = simulation.processes.map(({ clock }) => (clock.isDead ? 'd' : clock.isFrozen ? 'f' : 'l')).join('');
    if (states !== this.processes.states) this.processes = { states, sinceMs: atMs };
    const undisturbedMs = atMs - this.processes.sinceMs;
    for (const [instance, object] of this.instances) {
      const isBusy = this.isBusy(object);
      const next = isBusy ? leaders.map(({ controller }) => controller.requeueAfterMs(instance)) : [];
      if (lockOf(object) !== undefined) this.lockedAtMs.set(instance, atMs);
      const found = next.find((each) => each !== undefined);
      const nextReconcileMs = this.waitsForUnlock(instance, atMs, found) ? undefined : found;
      this.take({ fact: 'check', atMs, instance, isBusy, nextReconcileMs, undisturbedMs });
    }
  }

  /** A controller that has not heard that somebody unlocked an Instance waits for the end of the lock. */
  private waitsForUnlock(instance: string, atMs: number, nextReconcileMs = 0): boolean {
    const lockedAtMs = this.lockedAtMs.get(instance);
    return lockedAtMs !== undefined && atMs - lockedAtMs < UNWATCHED_MS && nextReconcileMs > NEXT_RECONCILE_MS;
  }

  private isBusy(object: Instance): boolean {
    const known = this.busy.get(object);
    if (known !== undefined) return known;
    const isBusy = !isAtRest(object);
    this.busy.set(object, isBusy);
    return isBusy;
  }

  private versionOf(instance: Instance): OperatorVersion | undefined {
    const name = instance.spec?.operatorVersion?.name ?? '';
    const namespace = namespaceOf(instance);
    return this.simulation?.sandbox.api.get({ ...OPERATOR_VERSIONS, namespace, name }) as OperatorVersion | undefined;
  }

  private get nowMs(): number {
    return this.simulation?.clock.now() ?? 0;
  }

  private note(line: string): void {
    this.unhashed += line;
    if (this.unhashed.length > HASHED_AT_ONCE) {
      this.hash.update(this.unhashed);
      this.unhashed = '';
    }
    if (this.keepsLines) this.lines.push(line);
  }
}

/** The object comes from one template, whatever the plan. */
function isRendered({ kind, metadata }: KubeObject): boolean {
  return kind === 'ConfigMap' && /-(own|random|config|ca|rsa)$/.test(metadata.name ?? '');
}

function isByHand(object: KubeObject): boolean {
  return Object.values(objectAt(object, 'data')).includes(BY_HAND);
}

/** A Toggle deletes it and creates it again. */
function isSwitched({ kind, metadata }: KubeObject): boolean {
  return kind === 'ConfigMap' && metadata.name?.endsWith('-switched') === true;
}
