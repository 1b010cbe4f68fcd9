import { cloneJson } from '@/lib/json/json';
import { type KubeObject, kindOf } from '@/lib/kube/object';
import { type Change, movesOf } from './table';

/** True when the cluster is known to serve a kind in an API version. */
export type Serves = (apiVersion: string, kind: string) => boolean;

/** The converted object (or the object itself); undefined when its kind was removed. And a warning for the person. */
export interface Modernised {
  readonly object: KubeObject | undefined;
  readonly warning?: string;
}

/**
 * Converts an object in a removed API version to the API version that replaces it. An object that needs no
 * conversion is returned as it is (the same reference). An object whose kind was removed without a replacement is dropped with a warning.
 * One table holds every rule: lib/kudo/deprecations/table (Kubernetes “Deprecated API Migration Guide”).
 *
 * `serves` says what an older cluster serves: an object in an API version that it serves, while it does not serve the replacement, stays as
 * it is. Without it every object is converted.
 */
export function modernise(object: KubeObject, serves: Serves = () => false): Modernised {
  const move = movesOf(kindOf(object));
  if (move === undefined) return { object };
  const hasSuccessor = move.to !== undefined && serves(move.to, object.kind);
  if (!hasSuccessor && serves(object.apiVersion, object.kind)) return { object };
  const label = `${object.kind} "${object.metadata.name ?? ''}"`;
  if (move.to === undefined) {
    return {
      object: undefined,
      warning: `${label} was left out: Kubernetes ${move.since} removed ${object.apiVersion}; ${move.advice ?? 'nothing replaces it'}.`,
    };
  }
  const successor = cloneJson(object);
  successor.apiVersion = move.to;
  const notes = apply(successor, move.changes);
  const details = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
  return {
    object: successor,
    warning: `${label} was converted to ${move.to}, because Kubernetes ${move.since} removed ${object.apiVersion}${details}.`,
  };
}

function apply(object: KubeObject, changes: readonly Change[]): string[] {
  return changes.flatMap((change) => {
    const note = change(object);
    return note === undefined ? [] : [note];
  });
}

/** True when an object of that API version and kind would be converted or dropped. */
export function isDeprecated(object: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean {
  return movesOf(kindOf(object)) !== undefined;
}
