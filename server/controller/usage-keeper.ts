import { parseTime, sleep } from '@/lib/clock/clock';
import { ConflictError, messageOf } from '@/lib/errors/errors';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { operatorVersionKey } from '@/lib/kudo/names';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { observeUsage, type SeenLife, type UsageLedger } from '@/lib/kudo/usage/ledger';
import { codeOf, isNamespaceTerminating } from '@/server/kube/errors';
import { listLedgers, readLedger, writeLedger } from '@/server/usage/ledger-store';
import { ratesOf } from '@/server/usage/usage-rates';
import type { ReconcilerDeps } from './reconciler-deps';

/** How long a change waits for others of its namespace: one write for all of them. */
const SETTLE_MS = 5_000;
/** For each Instance of the namespace, besides: a large ledger is written more rarely. */
const SETTLE_PER_LIFE_MS = 10;
/** All ledgers are looked through so often. An Instance that goes while no controller runs counts at most so much too little. */
const CHECK_EVERY_MS = 3_600_000;
const IDLE_MS = 60_000;

interface KnownLife extends SeenLife {
  readonly namespace: string;
  /** Of the Instance as it was seen: what it counts for changes with its spec alone. */
  readonly generation: number | undefined;
}

/** When an Instance went, and its life, if it was seen before. */
interface GoneLife {
  readonly namespace: string;
  readonly atMs: number;
  readonly life: KnownLife | undefined;
}

/**
 * Keeps the usage ledgers of the namespaces of a shard while it leads: a namespace is looked at a moment after a change of one of its
 * Instances, and every hour. What it decides is guarded by the ledger's resourceVersion, so two shards may keep one ledger.
 */
export class UsageKeeper {
  private leading: AbortController | undefined;
  private wake: (() => void) | undefined;
  /** When namespaces are due, on the monotonic clock. */
  private readonly due = new Map<string, number>();
  private readonly gone = new Map<string, GoneLife>();
  /** Lives as they were seen last, by uid: what counts when an Instance goes. */
  private readonly seen = new Map<string, KnownLife>();
  private ledgers = new Map<string, UsageLedger>();

  /** The ledgers as they were read or written last, by namespace; those of all namespaces, also of other shards. */
  get known(): ReadonlyMap<string, UsageLedger> {
    return this.ledgers;
  }

  start(deps: ReconcilerDeps): void {
    this.stop();
    const leading = new AbortController();
    this.leading = leading;
    this.go(deps, leading.signal).catch(() => undefined);
  }

  stop(): void {
    this.leading?.abort();
    this.leading = undefined;
    this.due.clear();
    this.gone.clear();
    this.seen.clear();
    this.ledgers = new Map();
  }

  /** An Instance of the shard was created, changed or deleted. */
  instanceChanged(deps: ReconcilerDeps, object: KubeObject, isGone: boolean): void {
    const { clock } = deps;
    const namespace = namespaceOf(object);
    const { uid = '', generation } = object.metadata;
    const life = this.seen.get(uid);
    if (isGone) this.gone.set(uid, { namespace, atMs: clock.now(), life });
    else if (life !== undefined && generation !== undefined && life.generation === generation) return;
    if (this.due.has(namespace)) return;
    const lives = Object.keys(this.ledgers.get(namespace)?.open ?? {}).length;
    this.due.set(namespace, clock.monotonic() + SETTLE_MS + lives * SETTLE_PER_LIFE_MS);
    this.wake?.();
  }

  /** @throws when it is stopped */
  private async go(deps: ReconcilerDeps, signal: AbortSignal): Promise<void> {
    const { clock, log } = deps;
    let checkMs = clock.monotonic() + SETTLE_MS;
    for (;;) {
      signal.throwIfAborted();
      const nowMs = clock.monotonic();
      if (checkMs <= nowMs) {
        try {
          await this.checkAll(deps);
        } catch (error) {
          if (!signal.aborted) log.warn('usage.not-read', { problem: messageOf(error) });
        }
        checkMs = nowMs + CHECK_EVERY_MS;
      }
      for (const [namespace, dueMs] of [...this.due]) {
        if (dueMs > nowMs) continue;
        this.due.delete(namespace);
        await this.keepOne(deps, namespace, signal);
      }
      await this.rest(deps, Math.min(checkMs, ...this.due.values()) - clock.monotonic(), signal);
    }
  }

  /** Every namespace with Instances or a ledger is due; a ledger without news notes when it was checked. */
  private async checkAll(deps: ReconcilerDeps): Promise<void> {
    this.ledgers = new Map(await listLedgers(deps.api));
    const names = new Set([...this.ledgers.keys(), ...deps.watches.instances.list().map(namespaceOf)]);
    for (const namespace of names) this.due.set(namespace, 0);
  }

  private async keepOne(deps: ReconcilerDeps, namespace: string, signal: AbortSignal): Promise<void> {
    try {
      await this.keep(deps, namespace, signal);
    } catch (error) {
      signal.throwIfAborted();
      // Nothing can be kept in a namespace that goes; everything else is tried again.
      if (isNamespaceTerminating(error) || codeOf(error) === 404) return;
      if (!(error instanceof ConflictError)) deps.log.warn('usage.not-kept', { namespace, problem: messageOf(error) });
      this.due.set(namespace, deps.clock.monotonic() + (error instanceof ConflictError ? SETTLE_MS : IDLE_MS));
    }
  }

  private async keep(deps: ReconcilerDeps, namespace: string, signal: AbortSignal): Promise<void> {
    const { api, clock } = deps;
    const seen = await this.observe(deps, namespace);
    const gone = [...this.gone].filter(([, one]) => one.namespace === namespace);
    const { ledger, object } = await readLedger(api, namespace, signal);
    const nowMs = clock.now();
    const observed = observeUsage(ledger, {
      seen,
      goneMs: new Map(gone.map(([uid, { atMs }]) => [uid, atMs])),
      lost: gone.flatMap(([, { life }]) => life ?? []),
      owns: (name) => deps.owns(`${namespace}/${name}`),
      nowMs,
    });
    const isStale = Object.keys(ledger.open).length > 0 && nowMs - ledger.checkedMs >= CHECK_EVERY_MS / 2;
    const next = observed === ledger && isStale ? { ...ledger, checkedMs: nowMs } : observed;
    if (next !== ledger) await writeLedger(api, namespace, { ledger: next, object });
    this.ledgers.set(namespace, next);
    for (const [uid] of gone) {
      this.gone.delete(uid);
      this.seen.delete(uid);
    }
  }

  private async observe(deps: ReconcilerDeps, namespace: string): Promise<KnownLife[]> {
    const { watches, renderTexts, log } = deps;
    const lives: KnownLife[] = [];
    for (const object of watches.instances.list(namespace)) {
      if (!deps.owns(`${namespace}/${nameOf(object)}`)) continue;
      const instance = object as Instance;
      const key = operatorVersionKey(instance);
      const version = watches.operatorVersions.get(key.namespace, key.name) as OperatorVersion | undefined;
      const { uid = '', generation } = instance.metadata;
      const before = this.seen.get(uid);
      // A version that is not there yet says nothing against the rates before.
      if (version === undefined && before !== undefined) lives.push(before);
      if (version === undefined) continue;
      const { rates, problems } = await ratesOf(renderTexts, instance, version);
      for (const problem of problems) log.warn('usage.meter', { namespace, instance: nameOf(instance), problem });
      const operator = version.spec?.operator?.name ?? '';
      const createdMs = parseTime(instance.metadata.creationTimestamp) ?? deps.clock.now();
      const life = { uid, namespace, name: nameOf(instance), operator, createdMs, rates, generation };
      this.seen.set(uid, life);
      lives.push(life);
    }
    return lives;
  }

  private async rest({ clock }: ReconcilerDeps, delayMs: number, signal: AbortSignal): Promise<void> {
    if (delayMs <= 0) return;
    const waking = new AbortController();
    this.wake = () => waking.abort();
    try {
      await sleep(clock, delayMs, AbortSignal.any([signal, waking.signal]));
    } catch {
      signal.throwIfAborted();
    } finally {
      this.wake = undefined;
    }
  }
}
