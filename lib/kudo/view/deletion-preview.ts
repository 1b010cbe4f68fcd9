import type { OwnedObject } from '@/lib/kudo/inventory/owned-object';
import type { VolumeFate } from './volume-fate';

/** What deleting an Instance does. Claims are among `volumes` only. */
export interface DeletionPreview {
  /** Of the Instance that the preview is about; deleting by it cannot hit another one of the same name. */
  readonly uid: string;
  /** Phases of the cleanup plan in order; undefined when none runs. */
  readonly cleanup:
    | readonly { phase: string; steps: readonly { step: string; tasks: readonly string[] }[] }[]
    | undefined;
  /** The plan that runs now and is cancelled. */
  readonly running: string | undefined;
  /** Deleted by the cleanup plan, or because the Instance owns them. */
  readonly goes: readonly OwnedObject[];
  /** No plan deletes them and nothing owns them. */
  readonly stays: readonly OwnedObject[];
  /** Every PersistentVolumeClaim of the Instance: those that are deleted, then those that stay. */
  readonly volumes: readonly VolumeFate[];
  /** Other Instances whose parameters name it. */
  readonly dependents: readonly ReferringInstance[];
  /** Tasks of the cleanup plan that cannot be rendered, and reads that failed, a sentence each: the lists are incomplete then. */
  readonly problems: readonly string[];
  /** Resources that could not be read. */
  readonly unreadable: readonly string[];
}

/** An Instance that refers to another one by a parameter. */
export interface ReferringInstance {
  readonly namespace: string;
  readonly name: string;
  readonly parameter: string;
}
