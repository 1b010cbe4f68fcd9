import { cloneJson, type JsonObject, jsonEqual, numberAt, objectAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { controllerReference, type WorkloadContext } from '../core/context';
import { isStatusCode } from '../core/failures';
import { resources } from '../core/resources';
import { claim } from './claim';
import { createdMs } from './pod-state';
import { stringMap } from './pod-template';
import { encodeHash, hashJson } from './template-hash';

const HASH_LABEL = 'controller.kubernetes.io/hash';

/** The history of an owner's template: all revisions by number, and the one of the present template. */
export interface TemplateHistory {
  readonly revisions: readonly KubeObject[];
  readonly update: KubeObject;
}

/**
 * Finds or makes the ControllerRevision of the owner's present template; an older equal one becomes the newest again
 * (Kubernetes pkg/controller/history, StatefulSet and DaemonSet alike).
 */
export function syncHistory(context: WorkloadContext, owner: KubeObject): TemplateHistory {
  const selector = objectAt(owner, 'spec', 'selector');
  const revisions = claim(context, owner, resources.controllerrevisions, selector).sort(byRevision);
  const next = (revisions.length === 0 ? 0 : numberOf(revisions.at(-1))) + 1;
  const data = revisionData(owner);
  const equal = revisions.filter((revision) => jsonEqual(revision.data, data)).at(-1);
  if (equal === undefined) {
    const made = create(context, owner, data, next);
    return { revisions: [...revisions, made], update: made };
  }
  if (equal === revisions.at(-1)) return { revisions, update: equal };
  const update = context.update(resources.controllerrevisions, equal, (copy) => {
    copy.revision = next;
  });
  return { revisions: [...revisions.filter((revision) => revision !== equal), update], update };
}

/** Deletes the oldest revisions beyond the limit that are not in use. */
export function trimHistory(
  context: WorkloadContext,
  owner: KubeObject,
  history: TemplateHistory,
  inUse: ReadonlySet<string>,
): void {
  const limit = numberAt(owner, 'spec', 'revisionHistoryLimit') ?? 10;
  const unused = history.revisions.filter((revision) => revision !== history.update && !inUse.has(nameOf(revision)));
  for (const revision of unused.slice(0, Math.max(0, unused.length - limit))) {
    context.delete(resources.controllerrevisions, revision);
  }
}

/** The template that a revision holds. */
export function templateOf(revision: KubeObject): JsonObject {
  const template = cloneJson(objectAt(revision, 'data', 'spec', 'template'));
  delete template.$patch;
  return template;
}

/** `metadata.labels['controller.kubernetes.io/hash']`. */
export function hashOf(revision: KubeObject): string {
  return revision.metadata.labels?.[HASH_LABEL] ?? '';
}

function revisionData(owner: KubeObject): JsonObject {
  return { spec: { template: { ...cloneJson(objectAt(owner, 'spec', 'template')), $patch: 'replace' } } };
}

function create(context: WorkloadContext, owner: KubeObject, data: JsonObject, revision: number): KubeObject {
  for (let collisions = numberAt(owner, 'status', 'collisionCount') ?? 0; ; collisions++) {
    const hash = encodeHash(hashJson(data, String(collisions)));
    const annotations = { ...owner.metadata.annotations };
    delete annotations['kubectl.kubernetes.io/last-applied-configuration'];
    try {
      return context.create(resources.controllerrevisions, {
        apiVersion: 'apps/v1',
        kind: 'ControllerRevision',
        metadata: {
          name: `${nameOf(owner)}-${hash}`,
          namespace: namespaceOf(owner),
          labels: { ...stringMap(objectAt(owner, 'spec', 'template', 'metadata', 'labels')), [HASH_LABEL]: hash },
          ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
          ownerReferences: [controllerReference(owner)],
        },
        data,
        revision,
      });
    } catch (error) {
      if (!isStatusCode(error, 409) || collisions > 20) throw error;
    }
  }
}

function byRevision(a: KubeObject, b: KubeObject): number {
  return numberOf(a) - numberOf(b) || createdMs(a) - createdMs(b);
}

function numberOf(revision: KubeObject | undefined): number {
  return numberAt(revision, 'revision') ?? 0;
}
