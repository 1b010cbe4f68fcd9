import type { KubeObject } from '@/lib/kube/object';
import { treeObject } from '@/lib/kudo/tree/tree-object';
import { belongsTo, mayBeInTree } from '@/lib/live/belongs-to';
import { liveKey } from '@/lib/live/frames';
import type { Topic } from '@/lib/live/topic';
import type { Feed, FeedEvents, OpenFeed } from './feed';
import { rowObject } from './row-object';

/**
 * Feeds a topic that is a part of another one (one object of it, what belongs to an Instance, only the rows, what a tree shows), from that one's
 * feed: no further watch.
 */
export function openPart(topic: Topic, whole: Feed): OpenFeed {
  const isOf = topic.view === 'tree' ? mayBeInTree : belongsTo;
  const isWanted = (object: KubeObject) =>
    (topic.name === undefined || object.metadata.name === topic.name) &&
    (topic.of === undefined || isOf(object, topic.of));
  const withSteps = topic.of !== undefined;
  const shown = (object: KubeObject) => {
    if (topic.view === undefined) return object;
    return topic.view === 'tree' ? treeObject(object) : rowObject(object, { withSteps });
  };
  const isOfMany = topic.name === undefined && topic.of === undefined;
  return (feed) => {
    // What is in the part now: an object that loses its label leaves it without being deleted.
    const inside = new Set<string>();
    const enter = (object: KubeObject) => {
      inside.add(liveKey(object));
      return shown(object);
    };
    const leave = (object: KubeObject) => {
      if (inside.delete(liveKey(object))) feed.deleted(object);
    };
    const events: FeedEvents = {
      part: (objects, total) => {
        // How many of them are of the part is not known.
        if (isOfMany) feed.part(objects.map(enter), total);
      },
      ready: (objects) => {
        inside.clear();
        feed.ready(objects.filter(isWanted).map(enter));
      },
      changed: (object) => {
        if (isWanted(object)) feed.changed(enter(object));
        else leave(object);
      },
      deleted: leave,
      problem: (problem) => feed.problem(problem),
      stale: (sinceMs) => feed.stale(sinceMs),
    };
    return whole.follow(events);
  };
}
