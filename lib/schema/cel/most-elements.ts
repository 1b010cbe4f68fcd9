import type { Path } from '@/lib/cel/estimate-cost';
import type { DeclaredType } from './declared-type';

/** How many characters, items or members a value may have at a path from `self`; undefined where nobody knows. */
export function mostElementsAt(root: DeclaredType): (path: Path) => number | undefined {
  return ([first, ...path]) => {
    if (first === undefined) return undefined;
    let declared: DeclaredType | undefined = root;
    for (const step of path) declared = below(declared, step);
    return declared?.most;
  };
}

function below(declared: DeclaredType | undefined, step: string): DeclaredType | undefined {
  switch (step) {
    case '@items':
    case '@values':
      return declared?.inner;
    case '@keys':
      return declared?.type.kind === 'map' ? { ...declared, most: 0, inner: undefined } : undefined;
    default:
      return declared?.fields?.get(step)?.declared;
  }
}
