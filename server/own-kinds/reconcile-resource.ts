import { namespaceOf, parseApiVersion } from '@/lib/kube/object';
import { stateOfInstance } from '@/lib/kudo/own-kinds/instance-state';
import { pickVersion } from '@/lib/kudo/own-kinds/pick-version';
import { ownKindOf } from '@/lib/kudo/own-kinds/stored-api';
import type { OwnKind } from '@/lib/kudo/own-kinds/types';
import type { OperatorVersion } from '@/lib/kudo/types';
import { finalizeResource } from './finalize-resource';
import { reconcileInstanceResource } from './instance-resource';
import { ON_CHANGE, type OwnKindDeps, type ResourceWake } from './own-kind-deps';
import type { WatchedResource } from './own-kind-watches';
import { reconcileRunResource } from './run-resource';
import { writeResourceStatus } from './write-resource';

/** Looks at one resource of an own kind and does the next thing (docs/decisions/093). Safe to be called at any time, any number of times. */
export async function reconcileResource(deps: OwnKindDeps, watched: WatchedResource): Promise<ResourceWake> {
  const { resource, operator } = watched;
  const wanted = { kind: resource.kind, group: parseApiVersion(resource.apiVersion).group };
  const installed = deps.watches.operatorVersions.list(namespaceOf(resource)) as OperatorVersion[];
  const picked = pickVersion({ resource, operator, kind: wanted, installed });
  const known = 'operatorVersion' in picked ? ownKindOf(picked.operatorVersion, wanted) : undefined;
  const kind = known ?? installed.map((each) => ownKindOf(each, wanted)).find((each) => each !== undefined);
  if ((resource.metadata.deletionTimestamp ?? '') !== '') return finalizeResource(deps, watched, kind);
  if (!('operatorVersion' in picked) || kind === undefined) {
    const problem = 'reason' in picked ? picked : { reason: 'OperatorNotInstalled', message: '' };
    return notInstalled(deps, watched, kind ?? bareKind(wanted), problem);
  }
  if (kind.run !== undefined) return reconcileRunResource(deps, watched, kind);
  return reconcileInstanceResource(deps, watched, { kind, operatorVersion: picked.operatorVersion });
}

/** Nothing can be done until the operator is installed, which is a watch event. */
async function notInstalled(
  deps: OwnKindDeps,
  watched: WatchedResource,
  kind: OwnKind,
  problem: { readonly reason: string; readonly message: string },
): Promise<ResourceWake> {
  const { resource } = watched;
  const none = { replicas: 0, readyReplicas: 0 };
  const rules = { blocking: undefined, noted: undefined };
  const state = stateOfInstance({ resource, kind, instance: undefined, replicas: none, rules, problem });
  await writeResourceStatus(deps, watched, { kind, state, scope: { self: resource } });
  return ON_CHANGE;
}

/** A kind of which no version is installed: nothing but the standard status is known. */
function bareKind({ kind, group }: { readonly kind: string; readonly group: string }): OwnKind {
  return { kind, group, plural: '', singular: '', versions: [] };
}
