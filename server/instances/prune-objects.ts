import { BravoError, messageOf, TerminalError } from '@/lib/errors/errors';
import type { ObjectsResult, ReportedObject } from '@/lib/kudo/drift/report';
import type { Api } from '@/server/kube/api';
import { readDriftView } from './drift-report';
import type { InstanceKey } from './read-instance';

export interface PruneWish {
  /** UIDs of leftovers, from the report. */
  readonly uids: readonly string[];
  /** True to delete objects that hold data too; otherwise they are refused. */
  readonly claims: boolean;
  /** True to delete cluster-scoped objects too; otherwise they are refused. */
  readonly shared: boolean;
}

/**
 * Deletes leftovers that the person chose, with their permissions. Each has to be in a new report and is deleted by its uid, so that
 * no object is deleted that a template renders again or that was created again.
 * @throws TerminalError `Invalid` for objects that hold data and cluster-scoped objects without their flag
 */
export async function pruneObjects(api: Api, key: InstanceKey, wish: PruneWish): Promise<ObjectsResult> {
  const { report } = await readDriftView(api, key);
  const chosen = report.leftovers.filter(({ uid }) => wish.uids.includes(uid));
  for (const { kind, name, isClaim, isShared } of chosen) {
    if (isClaim && !wish.claims) {
      const message = `${kind} ${name} holds data; say that claims are to be removed too, or leave it out.`;
      throw new TerminalError(message, 'Invalid');
    }
    if (isShared && !wish.shared) {
      const message = `${kind} ${name} is in no namespace; say that cluster-scoped objects are to be removed too, or leave it out.`;
      throw new TerminalError(message, 'Invalid');
    }
  }
  const done: ReportedObject[] = [];
  const failed: (ReportedObject & { message: string })[] = [];
  for (const { key: id, apiVersion, kind, name, uid, group, version, resource, isShared } of chosen) {
    const shown = { key: id, apiVersion, kind, name };
    try {
      const place = isShared ? {} : { namespace: key.namespace };
      const target = { group, version, resource, ...place, name };
      await api.delete(target, { propagation: 'Background', uid });
      done.push(shown);
    } catch (error) {
      if (!(error instanceof BravoError)) throw error;
      failed.push({ ...shown, message: messageOf(error) });
    }
  }
  for (const uid of wish.uids) {
    if (chosen.some((object) => object.uid === uid)) continue;
    const message = 'The object is not left over: it was deleted, or a template renders it again.';
    failed.push({ key: uid, apiVersion: '', kind: 'Object', name: uid, message });
  }
  return { done, failed };
}
