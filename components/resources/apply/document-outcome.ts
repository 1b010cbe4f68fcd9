import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { ManagedChange } from './managed-change';

/** A field of an applied object that another field manager sets to another value. */
export interface FieldConflict {
  /** As the API server names it: `.spec.containers[name="web"].image`. */
  readonly field: string;
  readonly manager: string;
}

/** What a person answers to a conflict. */
export type ConflictAnswer = 'take' | 'keep';

/**
 * What became of one document of a text:
 * - `checked`: the API server accepted a dry run
 * - `later`: not checked, because another document makes what it needs
 * - `created`, `configured`, `unchanged`: written, as kubectl says it
 * - `conflict`: fields of other managers wait for an answer
 * - `managed`: something else manages the object and reverts the change, which waits for an answer
 * - `refused`: an error
 * - `skipped`: not sent, because another document failed
 */
export interface DocumentOutcome {
  /** `ConfigMap web`, or the document's place when it could not be read. */
  readonly title: string;
  readonly status:
    | 'checked'
    | 'later'
    | 'created'
    | 'configured'
    | 'unchanged'
    | 'conflict'
    | 'managed'
    | 'refused'
    | 'skipped';
  readonly message: string | undefined;
  readonly causes: readonly { readonly field: string; readonly message: string }[];
  readonly conflicts: readonly FieldConflict[];
  readonly managed: ManagedChange | undefined;
  /** The page of the written object. */
  readonly href: string | undefined;
}

/** In the key of an answer, instead of the field of a conflict: the change is to be made although something reverts it. */
export const MANAGED = 'managed';

/** True when the document was not, or would not be, written. */
export function isFailure({ status }: DocumentOutcome): boolean {
  return status === 'refused' || status === 'conflict' || status === 'managed';
}

/** `ConfigMap web`. */
export function documentTitle(object: KubeObject | string): string {
  if (typeof object === 'string') return 'Unreadable';
  return `${object.kind} ${nameOf(object) || (object.metadata.generateName ?? '')}`;
}

/** An outcome with what is said of it. */
export function documentOutcome(
  title: string,
  status: DocumentOutcome['status'],
  more: Partial<DocumentOutcome> = {},
): DocumentOutcome {
  return { title, status, message: undefined, causes: [], conflicts: [], managed: undefined, href: undefined, ...more };
}
