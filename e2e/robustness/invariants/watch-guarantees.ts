import type { KubeObject } from '@/lib/kube/object';
import type { Delivery, Invariant, StoreChange } from './fact';

interface Position {
  revision: number;
  /** How many changes of the resource were compared already. */
  compared: number;
}

interface Stored {
  readonly revision: number;
  readonly labels: readonly { readonly [name: string]: string }[];
}

/**
 * I9, for each watch: events are sent in the order of their resourceVersions (ordered), none twice (unique), all of them after the
 * resourceVersion of the request (resumable), none is left out (reliable), and a bookmark does not go beyond the events that were
 * sent (bookmarkable).
 */
export const watchGuarantees: Invariant = (report) => {
  const history = new Map<string, Stored[]>();
  const positions = new Map<number, Position>();
  const note = (change: StoreChange): void => {
    const stored = history.get(change.resource) ?? [];
    history.set(change.resource, stored);
    const labels = [change.object, change.before].map(labelsOf);
    stored.push({ revision: Number(change.object.metadata.resourceVersion), labels });
  };
  const check = (delivery: Delivery): void => {
    const { watch, revision, type, resource, from } = delivery;
    const position = positions.get(watch) ?? { revision: from, compared: 0 };
    positions.set(watch, position);
    const isBookmark = type === 'BOOKMARK';
    if (isBookmark ? revision < position.revision : revision <= position.revision) {
      report(`I9: watch ${watch} of ${resource} was sent ${type} ${revision} after ${position.revision}`);
    }
    const stored = history.get(resource) ?? [];
    for (; position.compared < stored.length; position.compared++) {
      const change = stored[position.compared];
      if (change === undefined || change.revision > revision) break;
      const isDue = change.revision > position.revision && (isBookmark || change.revision < revision);
      if (isDue && matches(delivery, change)) {
        report(`I9: watch ${watch} of ${resource} was not sent ${change.revision}, but ${type} ${revision}`);
      }
    }
    position.revision = Math.max(position.revision, revision);
  };
  return (fact) => {
    if (fact.fact === 'change') note(fact);
    else if (fact.fact === 'delivery') check(fact);
  };
};

function labelsOf(object: KubeObject | undefined): { readonly [name: string]: string } {
  return object?.metadata.labels ?? {};
}

function matches({ labelSelector }: Delivery, { labels }: Stored): boolean {
  if (labelSelector === '') return true;
  const [name = '', value] = labelSelector.split('=');
  return labels.some((each) => each[name] === value);
}
