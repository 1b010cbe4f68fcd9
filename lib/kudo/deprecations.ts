import { cloneJson } from '@/lib/json/json';
import { type KubeObject, kindOf } from '@/lib/kube/object';
import { type Change, movesOf } from './deprecations/table';

/** True when the cluster is known to serve a kind in an API version. */
export type Serves = (apiVersion: string, kind: string) => boolean;

/** What became of an object: its successor (or itself), nothing when its kind is gone, and what to tell the person. */
export interface Modernised {
  readonly object: KubeObject | undefined;
  readonly warning?: string;
}

/**
 * Moves an object in an API version that Kubernetes does not serve any more to its successor. An object that needs no
 * move is returned as it is (the same reference). An object whose kind has no successor is dropped with a warning.
 * One table holds every rule: lib/kudo/deprecations/table (Kubernetes “Deprecated API Migration Guide”).
 *
 * `serves` knows an older cluster: what that serves still, while it has no successor, stays. Without it everything moves.
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
      warning: `${label} was left out: ${object.apiVersion} is gone since Kubernetes ${move.since}; ${move.advice ?? 'there is no successor'}.`,
    };
  }
  const successor = cloneJson(object);
  successor.apiVersion = move.to;
  const notes = apply(successor, move.changes);
  const said = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
  return {
    object: successor,
    warning: `${label} was moved from ${object.apiVersion}, gone since Kubernetes ${move.since}, to ${move.to}${said}.`,
  };
}

function apply(object: KubeObject, changes: readonly Change[]): string[] {
  return changes.flatMap((change) => {
    const note = change(object);
    return note === undefined ? [] : [note];
  });
}

/** True when an object of that API version and kind would be moved or dropped. */
export function isDeprecated(object: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean {
  return movesOf(kindOf(object)) !== undefined;
}
