import { BravoError, messageOf, TerminalError } from '@/lib/errors/errors';
import type { ObjectsResult, ReportedObject } from '@/lib/kudo/drift/report';
import type { Api } from '@/server/kube/api';
import { driftView } from './drift-report';
import type { InstanceKey } from './read-instance';

export interface PruneWish {
  /** UIDs of leftovers, as the report named them. */
  readonly uids: readonly string[];
  /** Claims among them, and whatever else holds data, go too; without it they are refused. */
  readonly claims: boolean;
  /** Cluster-scoped objects among them go too; without it they are refused. */
  readonly shared: boolean;
}

/**
 * Removes leftovers that the person chose, with their authority. Each is found anew in a fresh report and deleted by its
 * uid, so that nothing goes that has come back into use or was made anew meanwhile.
 * @throws TerminalError `Invalid` for what holds data and for cluster-scoped objects without the word for it
 */
export async function pruneObjects(api: Api, key: InstanceKey, wish: PruneWish): Promise<ObjectsResult> {
  const { report } = await driftView(api, key);
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
    const message = 'It is no leftover any more: it is gone, or a template renders it again.';
    failed.push({ key: uid, apiVersion: '', kind: 'Object', name: uid, message });
  }
  return { done, failed };
}
