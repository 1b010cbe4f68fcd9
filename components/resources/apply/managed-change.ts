import { request } from '@/components/live/request';
import type { KubeObject } from '@/lib/kube/object';
import { ownerAddress, type Reversal, reversalBy } from '@/lib/kube/ownership/revert';
import { toolOwners } from '@/lib/kube/ownership/tool-owner';
import type { ManifestChange } from '@/lib/kudo/commands/change-texts';
import { type ManagingInstance, managingInstance } from '@/lib/kudo/inventory/managing-instance';
import { operatorVersionKey } from '@/lib/kudo/names';
import { reversalByInstance } from '@/lib/kudo/self-heal/reversal';
import type { Instance } from '@/lib/kudo/types';
import { topics } from '@/lib/live/topic';
import { changedFields } from '../managed/changed-fields';
import { selfHealOf } from '../managed/use-manager';
import { type ObjectAddress, readStoredObject } from '../object-address';
import type { KnownOwner } from '../ownership/use-reversals';
import { kubePath } from '../resource-path';
import { reviewed } from '../save/save-review';
import { isMaskedKind } from '../secret-mask';

/** A change of an object that something else manages and reverts. */
export interface ManagedChange {
  /** Never empty: what stays is left out. */
  readonly reversals: readonly Reversal[];
  /** To take it elsewhere; undefined for kinds with secret values, which are not exported, and where the stored object cannot be read. */
  readonly change: ManifestChange | undefined;
  /** The tool whose repository it belongs into. */
  readonly owner: KnownOwner | undefined;
}

/**
 * What Argo CD, Flux, Helm or an Instance do with the change that an apply makes; undefined when nothing reverts it.
 *
 * @param tried the object as a dry run of the apply answered
 */
export async function managedChange(address: ObjectAddress, tried: KubeObject): Promise<ManagedChange | undefined> {
  // An apply keeps the marks of others, so that most objects need no further request.
  if (toolOwners(tried).length === 0 && managingInstance(tried) === undefined) return undefined;
  const stored = await readStoredObject(address).catch(() => undefined);
  const before = stored ?? tried;
  const fields = changedFields(reviewed(before), reviewed(tried)).map(({ at }) => at);
  // Who may write an object but not read it is asked without its fields.
  if (stored !== undefined && fields.length === 0) return undefined;
  const change = { object: before, fields };
  const owners = await Promise.all(
    toolOwners(before).map(async (tool) => ({ tool, source: await read(ownerAddress(tool)) })),
  );
  const instance = managingInstance(before);
  const reversals = [
    ...owners.map(({ tool, source }) => reversalBy(tool, source, change)),
    ...(instance === undefined ? [] : [reversalByInstance(await managerOf(instance), before, fields)]),
  ].filter(({ when }) => when !== 'stays');
  if (reversals.length === 0) return undefined;
  const title = `Change ${before.kind} ${address.name}`;
  return {
    reversals,
    change:
      stored === undefined || isMaskedKind(address.type)
        ? undefined
        : { type: address.type, before, after: tried, title },
    owner: owners[0],
  };
}

async function managerOf({ namespace, name }: ManagingInstance) {
  const instance = await read(namespace === '' ? undefined : { ...topics.instances, namespace, name });
  const key = instance && operatorVersionKey(instance as Instance);
  return { name, selfHeal: selfHealOf(instance, await read(key && { ...topics.operatorVersions, ...key })) };
}

/** Undefined for what does not exist, or the person may not read. */
async function read(at: Parameters<typeof kubePath>[0] | undefined): Promise<KubeObject | undefined> {
  return at === undefined ? undefined : request<KubeObject>(kubePath(at)).catch(() => undefined);
}
