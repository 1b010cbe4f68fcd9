import type { Clock } from '@/lib/clock/clock';
import { BravoError, ConflictError, messageOf, TerminalError } from '@/lib/errors/errors';
import { namespacedName, namespaceOf } from '@/lib/kube/object';
import { secretTextsOf } from '@/lib/kudo/drift/secret-texts';
import { isAsApplied } from '@/lib/kudo/inventory/shared-object';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import { afterRepair, type RepairPace, repairDelayMs } from '@/lib/kudo/self-heal/repair-pace';
import type { Instance } from '@/lib/kudo/types';
import type { DriftWatches } from '@/server/drift/drift-watches';
import { type Suspect, type Suspects, suspectId } from '@/server/drift/suspects';
import type { KnownManifests } from '@/server/inventory/known-manifests';
import type { Api } from '@/server/kube/api';
import { isNamespaceTerminating } from '@/server/kube/errors';
import type { KindIndex } from '@/server/kube/kinds';
import type { Log } from '@/server/log/log';
import { type PutBack, putBack } from './put-back';
import { repairedWords, slowedWords } from './repair-words';

export interface RepairerDeps {
  readonly clock: Clock;
  readonly kinds: KindIndex;
  readonly watches: DriftWatches;
  readonly suspects: Suspects;
}

/** What a repair writes with, and where it says so: those of one reconcile. */
export interface RepairClients {
  readonly api: Api;
  readonly log: Log;
  readonly events: {
    record(instance: Instance, type: 'Normal' | 'Warning', reason: string, message: string): void;
  };
}

/** How long to wait when an object is missing in the watched copy but exists in the cluster. */
const BEHIND_MS = 2_000;
/** After this many repairs in a row, an event says that another client writes the object too. */
const FIGHT = 3;

/** Repairs one suspect at a time. Each object has its own pace. */
export class Repairer {
  private readonly paces = new Map<string, RepairPace>();

  constructor(private readonly deps: RepairerDeps) {}

  /** How long the object must not be written still. */
  delayMs({ instance, entry }: Suspect): number {
    return repairDelayMs(this.paces.get(suspectId(instance, entry)), this.deps.clock.monotonic());
  }

  /**
   * Repairs the object when that is due. Returns the milliseconds after which to check again; undefined when only a watch event can
   * change anything.
   * @throws TransientError when the API server does not answer
   */
  async repair(suspect: Suspect, known: KnownManifests, clients: RepairClients): Promise<number | undefined> {
    const delayMs = this.delayMs(suspect);
    if (delayMs > 0) return delayMs;
    try {
      const done = await this.putBack(suspect, known, clients);
      if (done === undefined || done.did === 'nothing') {
        if (suspect.sign === 'missing' && done !== undefined) return BEHIND_MS;
        this.deps.suspects.dismiss(suspect);
        return undefined;
      }
      this.announce(suspect, done, clients);
      return undefined;
    } catch (error) {
      return this.onFailure(suspect, error, clients);
    }
  }

  /** Undefined when the manifest of the last plan is unknown. */
  private async putBack(
    suspect: Suspect,
    known: KnownManifests,
    { api, events }: RepairClients,
  ): Promise<PutBack | undefined> {
    const { kinds, suspects, watches } = this.deps;
    const { entry, run, instance } = suspect;
    const { apiVersion, kind, name } = entry;
    const namespace = namespaceOf(instance);
    const target = await kinds.targetOf({ apiVersion, kind, metadata: { name, namespace } });
    if (target === undefined) return { did: 'nothing' };
    const live = await api.get(target);
    if (live !== undefined && suspects.isShared(entry) && !isAsApplied(entry, live)) return { did: 'nothing' };
    const manifest = await known.find(entry, run, live);
    if (manifest === undefined) {
      const message = `${kind} ${name} ${live === undefined ? 'is missing' : 'was changed'}, and the controller no longer knows what plan ${run.plan} left. Start plan ${run.plan} again to restore it.`;
      events.record(instance, 'Warning', 'RepairFailed', message);
      return undefined;
    }
    return putBack(target, manifest, live, { api, instance, keepsReplicas: watches.isScaled(namespace, entry) });
  }

  private noteWrite({ instance, entry }: Suspect): RepairPace {
    const id = suspectId(instance, entry);
    const pace = afterRepair(this.paces.get(id), this.deps.clock.monotonic());
    this.paces.set(id, pace);
    return pace;
  }

  private announce(suspect: Suspect, done: PutBack, { events, log }: RepairClients): void {
    const pace = this.noteWrite(suspect);
    const { entry, run, instance, operatorVersion } = suspect;
    const message = repairedWords(done, entry, run, secretTextsOf(instance, operatorVersion));
    events.record(instance, 'Normal', 'Repaired', message);
    log.info('self-heal.repaired', { instance: namespacedName(instance), kind: entry.kind, name: entry.name });
    if (pace.inARow >= FIGHT) events.record(instance, 'Warning', 'RepairSlowed', slowedWords(entry, pace));
  }

  private onFailure(suspect: Suspect, error: unknown, { events }: RepairClients): number | undefined {
    if (error instanceof ConflictError) return BEHIND_MS;
    const isForGood = error instanceof TerminalError || error instanceof RenderError;
    if (!isForGood || (error instanceof BravoError && error.reason === 'LeaseLost')) throw error;
    // Nothing can be created in a terminating namespace, and no event is needed.
    if (isNamespaceTerminating(error)) return undefined;
    const { entry, instance } = suspect;
    const message = `${entry.kind} ${entry.name} cannot be restored: ${messageOf(error)}`;
    events.record(instance, 'Warning', 'RepairFailed', message);
    return this.noteWrite(suspect).spanMs;
  }
}
