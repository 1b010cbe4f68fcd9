import { ConflictError, messageOf } from '@/lib/errors/errors';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { LiveInputs } from '@/lib/kudo/live-values/live-inputs';
import type { SecretInputs } from '@/lib/kudo/plan/run-inputs';
import { RunPace } from '@/lib/kudo/plan/run-pace';
import { isTerminal } from '@/lib/kudo/plan/status';
import { StepTimes } from '@/lib/kudo/plan/step-times';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { Api, Target } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';
import type { RunMemory, RunPlace, TaskObjects } from '@/server/tasks/context';
import { PatchPace } from '@/server/tasks/patch-pace';
import type { Randomness } from '@/server/tasks/randomness';
import { TouchedObjects } from '@/server/tasks/touched-objects';
import type { Replacements } from '@/server/tasks/volumes/replacements';
import {
  createUnlessTaken,
  guarded,
  packRun,
  RUN_SECRET_TYPE,
  type RunSnapshot,
  runOfMemory,
  runSecret,
  runSecretTarget,
  unpackRun,
} from './run-secret';
import { ShownRun } from './shown-run';

/**
 * Where the random bytes of a run come from: its own 32 bytes of the operating system, drawn when it begins; or `legacy` for a
 * run that a version before 0.2 began.
 */
export type RunKey = Uint8Array | 'legacy';

/** What a run begins with. */
export interface BegunRun {
  readonly uid: string;
  readonly operatorVersion: OperatorVersion;
  readonly key: RunKey;
  readonly inputs: SecretInputs;
}

/** What {@link StoredRunMemory.load} needs when the Secret holds the key alone. */
type FindVersion = () => Promise<OperatorVersion | undefined>;

/**
 * What one run must not forget: its key, the OperatorVersion it began with and what each task rendered. It is kept in the
 * process, and in a Secret owned by the Instance from the moment the run has to wait for something, or is about to write
 * something that was made with its key. So a restart, and an edit of the OperatorVersion meanwhile, change no byte. A run that
 * neither waits nor asks for random bytes needs no Secret.
 */
export class StoredRunMemory implements RunMemory {
  private readonly memory = new Map<string, Promise<TaskObjects>>();
  private readonly finished = new Map<string, TaskObjects>();
  /** How the run gets on in this process. */
  readonly pace = new RunPace();
  readonly times = new StepTimes();
  readonly patches = new PatchPace();
  readonly replacements: Replacements = new Map();
  readonly shown = new ShownRun();
  readonly touched = new TouchedObjects();
  readonly uid: string;
  readonly operatorVersion: OperatorVersion;
  /** Values of secret parameters that the run began with, as far as they were known. */
  inputs: SecretInputs;
  private key: RunKey;
  private isDirty = true;
  private isKeyStored: boolean;
  /** The Secret as it was written or read last. Writes are guarded by it: a process that was replaced meanwhile changes nothing. */
  private stored: KubeObject | undefined;
  private isUnsure = false;

  /**
   * @param before the memory of the run that this one replaces, whose Secret becomes this one's; `unknown` when another process
   *   may have left one behind
   */
  constructor(run: BegunRun, before?: StoredRunMemory | 'unknown') {
    this.uid = run.uid;
    this.operatorVersion = run.operatorVersion;
    this.key = run.key;
    this.inputs = run.inputs;
    const known = before === 'unknown' ? undefined : before;
    this.stored = known?.stored;
    this.isUnsure = before === 'unknown' || known?.isUnsure === true;
    this.isKeyStored = run.key === 'legacy';
  }

  rendered(key: string, render: () => Promise<TaskObjects>): Promise<TaskObjects> {
    const known = this.memory.get(key);
    if (known !== undefined) return known;
    const made = render();
    this.memory.set(key, made);
    made.then(
      (objects) => {
        // Another key may have been adopted meanwhile, and what was made with the former one counts no more.
        if (this.memory.get(key) !== made) return;
        this.finished.set(key, objects);
        this.isDirty = true;
      },
      () => {
        if (this.memory.get(key) === made) this.memory.delete(key);
      },
    );
    return made;
  }

  known(key: string): Promise<TaskObjects> | undefined {
    return this.memory.get(key);
  }

  /** What tasks have read of the cluster so far. */
  liveInputs(): readonly LiveInputs[] {
    return [...this.finished.values()].flatMap(({ live }) => (live === undefined ? [] : [live]));
  }

  randomness(purpose: string): Randomness {
    if (this.key === 'legacy') return { from: 'legacy', text: purpose };
    return { from: 'run-key', key: this.key, purpose };
  }

  async storeKey(place: RunPlace): Promise<boolean> {
    return this.isKeyStored || (await this.store(place));
  }

  /**
   * Writes the Secret when there is something that it does not hold yet. False when it was found to hold another key of the same
   * run, which another process has stored: nothing was written, and that key and what goes with it are this run's now.
   */
  async store(place: RunPlace): Promise<boolean> {
    if (!this.isDirty && this.isKeyStored) return true;
    const { api, instance } = place;
    const known = await this.find(api, instance);
    if (this.adopt(known)) return false;
    const packed = this.pack(place);
    if (packed === undefined) return true;
    const secret = runSecret(instance, packed);
    const target = runSecretTarget(instance);
    this.isUnsure = true;
    if (known === undefined) {
      const made = await createUnlessTaken(api, target, secret);
      if (this.adopt(made.found)) return false;
      await this.checkIsCurrent(place, made.found);
      this.stored = made.created ?? (await api.update(target, guarded(secret, made.found)));
    } else {
      await this.checkIsCurrent(place, known);
      this.stored = await api.update(target, guarded(secret, known));
    }
    this.isUnsure = false;
    this.isDirty = false;
    this.isKeyStored = true;
    return true;
  }

  /**
   * The Secret of another run is written over only while the Instance names this run. A process whose watch is late may take
   * up a run that has ended: without its key, the run that came after it would go on with other random bytes.
   * @throws ConflictError when the Instance names another run
   */
  private async checkIsCurrent({ api, instance }: RunPlace, found: KubeObject | undefined): Promise<void> {
    const other = found === undefined ? this.uid : runOfMemory(found);
    if (other === undefined || other === this.uid) return;
    const live = await api.get({ ...INSTANCES, namespace: namespaceOf(instance), name: nameOf(instance) });
    if (live !== undefined && namesRun(live as Instance, this.uid)) return;
    throw new ConflictError(`Instance ${nameOf(instance)} names run ${other}, not ${this.uid}.`, 'RunReplaced');
  }

  /** All of it; the key alone when all is too large for a Secret; undefined when that is stored already. */
  private pack({ instance, log }: RunPlace): string | undefined {
    const known = {
      uid: this.uid,
      inputs: this.inputs,
      ...(this.key === 'legacy' ? {} : { key: Buffer.from(this.key).toString('base64') }),
    };
    const operatorVersion = withoutManagedFields(this.operatorVersion);
    const packed = packRun({ ...known, operatorVersion, rendered: Object.fromEntries(this.finished) });
    if (packed !== undefined) return packed;
    log.warn('run.memory-too-large', { instance: nameOf(instance) });
    return this.isKeyStored ? undefined : packRun(known);
  }

  /** Takes over what a Secret holds when that is another key of this run. */
  private adopt(secret: KubeObject | undefined): boolean {
    if (this.isKeyStored || secret === undefined || runOfMemory(secret) !== this.uid) return false;
    const snapshot = unpackRun(secret);
    const key = keyOf(snapshot);
    if (key === undefined || key === 'legacy' || (this.key !== 'legacy' && Buffer.compare(key, this.key) === 0))
      return false;
    this.key = key;
    this.memory.clear();
    this.finished.clear();
    this.restore(secret, snapshot);
    this.isUnsure = false;
    return true;
  }

  private restore(secret: KubeObject, snapshot: RunSnapshot | undefined): void {
    for (const [key, objects] of Object.entries(snapshot?.rendered ?? {})) {
      this.memory.set(key, Promise.resolve(objects));
      this.finished.set(key, objects);
    }
    this.inputs = { ...this.inputs, ...snapshot?.inputs };
    this.stored = secret;
    this.isDirty = snapshot?.rendered === undefined;
    this.isKeyStored = true;
  }

  /** Removes the Secret of a run that is over. */
  async drop(api: Api, instance: Instance): Promise<void> {
    const known = await this.find(api, instance);
    if (known?.type === RUN_SECRET_TYPE) await this.delete(api, known);
    this.stored = undefined;
  }

  /**
   * Deletes the Secret as it is known. The next run takes over the object as it is, so its uid alone says nothing: one that
   * was changed meanwhile is deleted only when it still holds the run that it held.
   */
  private async delete(api: Api, known: KubeObject): Promise<void> {
    const target: Target = {
      group: '',
      version: 'v1',
      resource: 'secrets',
      namespace: namespaceOf(known),
      name: nameOf(known),
    };
    const remove = ({ metadata: { uid, resourceVersion } }: KubeObject) => api.delete(target, { uid, resourceVersion });
    try {
      await remove(known);
    } catch (error) {
      if (codeOf(error) !== 409) throw error;
      const found = await api.get(target);
      if (found === undefined || found.metadata.uid !== known.metadata.uid) return;
      if (runOfMemory(found) === runOfMemory(known)) await remove(found);
    }
  }

  /** The Secret as it is known, read anew after a write of which nobody knows how it ended. */
  private async find(api: Api, instance: Instance): Promise<KubeObject | undefined> {
    if (this.isUnsure) this.stored = await api.get(runSecretTarget(instance));
    this.isUnsure = false;
    return this.stored;
  }

  /**
   * What the Secret of an Instance holds for that run; undefined when it holds none or another one.
   * @param findVersion asked when the Secret holds the key alone
   */
  static async load(place: RunPlace, uid: string, findVersion: FindVersion): Promise<StoredRunMemory | undefined> {
    const { api, instance, log } = place;
    const secret = await api.get(runSecretTarget(instance));
    if (secret === undefined) return undefined;
    try {
      const snapshot = unpackRun(secret);
      if (snapshot === undefined || snapshot.uid !== uid) return undefined;
      const operatorVersion = snapshot.operatorVersion ?? (await findVersion());
      if (operatorVersion === undefined) return undefined;
      const key = keyOf(snapshot) ?? 'legacy';
      const memory = new StoredRunMemory({ uid, operatorVersion, key, inputs: snapshot.inputs ?? {} });
      memory.restore(secret, snapshot);
      return memory;
    } catch (error) {
      log.warn('run.memory-unreadable', { instance: nameOf(instance), problem: messageOf(error) });
      return undefined;
    }
  }
}

function namesRun({ spec, status }: Instance, uid: string): boolean {
  if (spec?.planExecution?.uid === uid) return true;
  return Object.values(status?.planStatus ?? {}).some((plan) => plan.uid === uid && !isTerminal(plan.status));
}

/** A run that an earlier version stored has no key. */
function keyOf(snapshot: RunSnapshot | undefined): RunKey | undefined {
  if (snapshot === undefined) return undefined;
  return snapshot.key === undefined ? 'legacy' : new Uint8Array(Buffer.from(snapshot.key, 'base64'));
}

function withoutManagedFields(operatorVersion: OperatorVersion): OperatorVersion {
  const { managedFields: _, ...metadata } = operatorVersion.metadata;
  return { ...operatorVersion, metadata };
}
