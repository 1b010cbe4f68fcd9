import { stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { crdChange } from './crd-change';
import { crdDifferences } from './crd-differences';
import { crdOwner } from './crd-owner';
import { OWN_KIND_LABEL } from './names';

/** What an install would do with the CRD of a kind, for a person who decides. */
export interface CrdVerdict {
  /** Its name. */
  readonly crd: string;
  readonly kind: string;
  /** `adopt`: it belongs to somebody else, and is replaced only when that is asked for. `unknown`: the person may not read it. */
  readonly do: 'create' | 'update' | 'keep' | 'adopt' | 'refuse' | 'unknown';
  /** Why it is refused. */
  readonly message: string | undefined;
  /** Who brought one that no operator of Bravo did, as far as its marks say. */
  readonly owner: readonly string[];
  /** What an update or adoption changes, a line each. */
  readonly changes: readonly string[];
}

/** @param live the CRD of that name in the cluster */
export function crdVerdict(live: KubeObject | undefined, wanted: KubeObject): CrdVerdict {
  const named = { crd: nameOf(wanted), kind: stringAt(wanted.spec, 'names', 'kind') ?? '' };
  const nothing = { message: undefined, owner: [], changes: [] };
  if (live === undefined) return { ...named, ...nothing, do: 'create' };
  const isForeign = live.metadata.labels?.[OWN_KIND_LABEL] === undefined;
  const change = crdChange(live, wanted, { adopt: isForeign });
  const owner = isForeign ? crdOwner(live) : [];
  if (change.do === 'refuse') return { ...named, do: 'refuse', message: change.message, owner, changes: [] };
  if (change.do === 'keep') return { ...named, ...nothing, do: 'keep' };
  return {
    ...named,
    do: isForeign ? 'adopt' : 'update',
    message: undefined,
    owner,
    changes: crdDifferences(live, wanted),
  };
}
