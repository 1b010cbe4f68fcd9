import type { KubeObject } from '@/lib/kube/object';
import type { Topic } from '@/lib/live/topic';
import type { Feed, FeedEvents, OpenFeed } from './feed';
import { rowObject } from './row-object';

/** Feeds a topic that is a part of another one (one object of it, or only the rows), from that one's feed: no further watch. */
export function openPart(topic: Topic, whole: Feed): OpenFeed {
  const isWanted = ({ metadata }: KubeObject) => topic.name === undefined || metadata.name === topic.name;
  const shown = (object: KubeObject) => (topic.view === 'rows' ? rowObject(object) : object);
  return (feed) => {
    const events: FeedEvents = {
      ready: (objects) => feed.ready(objects.filter(isWanted).map(shown)),
      changed: (object) => {
        if (isWanted(object)) feed.changed(shown(object));
      },
      deleted: (object) => {
        if (isWanted(object)) feed.deleted(object);
      },
      problem: (problem) => feed.problem(problem),
      stale: (sinceMs) => feed.stale(sinceMs),
    };
    return whole.follow(events);
  };
}
