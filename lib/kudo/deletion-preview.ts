import type { OwnedObject } from './owned-object';

/** What deleting an Instance will do. */
export interface DeletionPreview {
  /** Of the Instance that the preview speaks of; deleting by it cannot hit another of the same name. */
  readonly uid: string;
  /** Phases of the cleanup plan in order; undefined when none runs. */
  readonly cleanup:
    | readonly { phase: string; steps: readonly { step: string; tasks: readonly string[] }[] }[]
    | undefined;
  /** The plan that runs now and is left off. */
  readonly running: string | undefined;
  /** Removed with it, because it owns them. */
  readonly goes: readonly OwnedObject[];
  /** Nothing removes them, unless the cleanup plan does. */
  readonly stays: readonly OwnedObject[];
  readonly unreadable: readonly string[];
}
