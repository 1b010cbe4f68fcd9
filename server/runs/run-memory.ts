import { gunzipSync, gzipSync } from 'node:zlib';
import { messageOf } from '@/lib/errors/errors';
import { isJsonObject } from '@/lib/json/json';
import { isKubeObject, type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { RunPace } from '@/lib/kudo/plan/run-pace';
import { StepTimes } from '@/lib/kudo/plan/step-times';
import { type Instance, KUDO_API_VERSION, type OperatorVersion } from '@/lib/kudo/types';
import type { Api, Target } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';
import type { Log } from '@/server/log/log';
import type { RunMemory, TaskObjects } from '@/server/tasks/context';
import { PatchPace } from '@/server/tasks/patch-pace';

/** Type and label of the Secret that holds a run's memory. */
export const RUN_SECRET_TYPE = 'bravo.kudo.dev/run';
/** Its name is the Instance's, with this behind it. */
export const RUN_SECRET_SUFFIX = '.bravo-run';
const DATA_KEY = 'run.json.gz';
/** A Secret may hold 1 MiB, and base64 is not counted; a memory above this stays in the process only. */
const MAX_PACKED_BYTES = 900 * 1024;
/** Against a Secret that somebody else wrote. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

interface Snapshot {
  readonly uid: string;
  readonly operatorVersion: OperatorVersion;
  readonly rendered: { readonly [key: string]: TaskObjects };
}

/**
 * What one run must not forget: the OperatorVersion it began with and what each task rendered. It lives in the process, and
 * from the moment the run has to wait for something also in a Secret owned by the Instance, so that a restart (and an edit
 * of the OperatorVersion meanwhile) changes no byte. A run that never waits needs none: chance and time of its templates
 * are fixed by its uid and start.
 */
export class StoredRunMemory implements RunMemory {
  private readonly memory = new Map<string, Promise<TaskObjects>>();
  private readonly finished = new Map<string, TaskObjects>();
  /** How the run gets on in this process. */
  readonly pace = new RunPace();
  readonly times = new StepTimes();
  readonly patches = new PatchPace();
  private isDirty = true;
  /** The Secret as it was written or read last. Writes are guarded by it: a process that was replaced meanwhile changes nothing. */
  private stored: KubeObject | undefined;
  private isUnsure = false;

  /** @param before the run that this one replaces: its Secret, if there still is one, becomes this one's */
  constructor(
    readonly uid: string,
    readonly operatorVersion: OperatorVersion,
    /** The memory of the run before; `unknown` when another process may have left one behind. */
    before?: StoredRunMemory | 'unknown',
  ) {
    const known = before === 'unknown' ? undefined : before;
    this.stored = known?.stored;
    this.isUnsure = before === 'unknown' || known?.isUnsure === true;
  }

  rendered(key: string, render: () => Promise<TaskObjects>): Promise<TaskObjects> {
    let known = this.memory.get(key);
    if (known === undefined) {
      known = render();
      this.memory.set(key, known);
      known.then(
        (objects) => {
          this.finished.set(key, objects);
          this.isDirty = true;
        },
        () => this.memory.delete(key),
      );
    }
    return known;
  }

  /** Writes the Secret when there is something in it that it does not hold yet. */
  async store(api: Api, instance: Instance, log: Log): Promise<void> {
    if (!this.isDirty) return;
    const snapshot: Snapshot = {
      uid: this.uid,
      operatorVersion: withoutManagedFields(this.operatorVersion),
      rendered: Object.fromEntries(this.finished),
    };
    // At once, not in a thread: a few hundred KiB take milliseconds, and a run stays the same every time for one seed.
    const packed = gzipSync(JSON.stringify(snapshot), { level: 1 });
    if (packed.length > MAX_PACKED_BYTES) {
      log.warn('run.memory-too-large', { instance: nameOf(instance), bytes: packed.length });
      return;
    }
    const known = await this.find(api, instance);
    this.isUnsure = true;
    this.stored = await writeSecret(api, secretOf(instance, packed.toString('base64')), known);
    this.isUnsure = false;
    this.isDirty = false;
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
    const target: Target = { ...SECRETS, namespace: namespaceOf(known), name: nameOf(known) };
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
    if (this.isUnsure) this.stored = await api.get(targetOf(instance));
    this.isUnsure = false;
    return this.stored;
  }

  /** What the Secret of an Instance holds for that run; undefined when it holds none or another one. */
  static async load(api: Api, instance: Instance, uid: string, log: Log): Promise<StoredRunMemory | undefined> {
    const secret = await api.get(targetOf(instance));
    if (secret === undefined || secret.type !== RUN_SECRET_TYPE) return undefined;
    try {
      const snapshot = unpack(secret);
      if (snapshot === undefined || snapshot.uid !== uid) return undefined;
      const memory = new StoredRunMemory(uid, snapshot.operatorVersion);
      for (const [key, objects] of Object.entries(snapshot.rendered)) {
        memory.memory.set(key, Promise.resolve(objects));
        memory.finished.set(key, objects);
      }
      memory.isDirty = false;
      memory.stored = secret;
      return memory;
    } catch (error) {
      log.warn('run.memory-unreadable', { instance: nameOf(instance), problem: messageOf(error) });
      return undefined;
    }
  }
}

/** The uid of the run whose memory a Secret is; undefined for any other Secret, and for one that cannot be read. */
export function runOfMemory(secret: KubeObject): string | undefined {
  if (secret.type !== RUN_SECRET_TYPE) return undefined;
  try {
    return unpack(secret)?.uid;
  } catch {
    return undefined;
  }
}

function unpack(secret: KubeObject): Snapshot | undefined {
  const data = isJsonObject(secret.data) ? secret.data[DATA_KEY] : undefined;
  if (typeof data !== 'string') return undefined;
  const bytes = gunzipSync(Buffer.from(data, 'base64'), { maxOutputLength: MAX_UNPACKED_BYTES });
  const value: unknown = JSON.parse(bytes.toString('utf8'));
  if (!isJsonObject(value) || typeof value.uid !== 'string' || !isKubeObject(value.operatorVersion)) return undefined;
  return value as unknown as Snapshot;
}

/** Creates it, or replaces what is known or found to be there. */
async function writeSecret(api: Api, secret: KubeObject, known: KubeObject | undefined): Promise<KubeObject> {
  const target: Target = { ...SECRETS, namespace: namespaceOf(secret), name: nameOf(secret) };
  if (known !== undefined) return api.update(target, guarded(secret, known));
  try {
    return await api.create(target, secret);
  } catch (error) {
    if (codeOf(error) !== 409) throw error;
    const found = await api.get(target);
    if (found === undefined) throw error;
    return api.update(target, guarded(secret, found));
  }
}

function guarded(secret: KubeObject, { metadata: { resourceVersion = '' } }: KubeObject): KubeObject {
  return { ...secret, metadata: { ...secret.metadata, resourceVersion } };
}

const SECRETS = { group: '', version: 'v1', resource: 'secrets' } as const;

function targetOf(instance: Instance): Target {
  return { ...SECRETS, namespace: namespaceOf(instance), name: secretName(instance) };
}

function secretName(instance: Instance): string {
  return `${nameOf(instance)}${RUN_SECRET_SUFFIX}`;
}

function secretOf(instance: Instance, data: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: secretName(instance),
      namespace: namespaceOf(instance),
      ownerReferences: [
        { apiVersion: KUDO_API_VERSION, kind: 'Instance', name: nameOf(instance), uid: instance.metadata.uid ?? '' },
      ],
    },
    type: RUN_SECRET_TYPE,
    data: { [DATA_KEY]: data },
  };
}

function withoutManagedFields(operatorVersion: OperatorVersion): OperatorVersion {
  const { managedFields: _, ...metadata } = operatorVersion.metadata;
  return { ...operatorVersion, metadata };
}
