import type { KubeObject } from '@/lib/kube/object';
import { type LiveFrame, liveKey } from './frames';

/** What a browser knows of one topic. `objects` is a new array only when something in it changed. */
export interface TopicView {
  readonly status: 'loading' | 'ready' | 'forbidden' | 'missing' | 'failed';
  readonly objects: readonly KubeObject[];
  readonly message?: string;
  /** Since when the data may be old (server time, ms). */
  readonly staleSinceMs?: number;
  /** How many there are, while only the beginning is known; undefined otherwise. */
  readonly total?: number;
  /** How many of them the server has read, while it reads a long list for the first time; undefined otherwise. */
  readonly read?: number;
  /** The last state of the object of a topic of one, after it was deleted. */
  readonly last?: KubeObject;
  /** For coming back: what was seen last. */
  readonly cursor?: string;
}

export const LOADING_VIEW: TopicView = { status: 'loading', objects: [] };

/** Clients cannot compare versions of an object; the order of the stream decides. */
export function applyFrame(view: TopicView, frame: LiveFrame): TopicView {
  switch (frame.type) {
    case 'snapshot':
      return withStale(
        {
          status: 'ready',
          objects: reuse(view.objects, frame.objects),
          ...(frame.cursor === undefined ? {} : { cursor: frame.cursor }),
          ...(frame.total === undefined ? {} : { total: frame.total }),
          ...(frame.read === undefined ? {} : { read: frame.read }),
        },
        view.staleSinceMs,
      );
    case 'delta':
      return withStale(
        {
          status: 'ready',
          objects: merge(view.objects, frame),
          cursor: frame.cursor,
          ...(frame.last === undefined ? {} : { last: frame.last }),
        },
        view.staleSinceMs,
      );
    case 'problem':
      return { ...view, status: frame.problem.status, message: frame.problem.message, cursor: 'problem' };
    case 'stale':
      return withStale(withoutStale(view), frame.sinceMs);
    case 'hello':
    case 'tick':
    case 'resume':
    case 'controller':
      return view;
  }
}

function withStale(view: TopicView, sinceMs: number | undefined): TopicView {
  return sinceMs === undefined ? view : { ...view, staleSinceMs: sinceMs };
}

function withoutStale(view: TopicView): TopicView {
  const { staleSinceMs: _, ...rest } = view;
  return rest;
}

/** Objects that did not change keep their identity, so that their rows do not render again. */
function reuse(known: readonly KubeObject[], fresh: readonly KubeObject[]): readonly KubeObject[] {
  const knownByKey = new Map(known.map((object) => [liveKey(object), object]));
  return fresh.map((object) => {
    const old = knownByKey.get(liveKey(object));
    return old !== undefined && sameVersion(old, object) ? old : object;
  });
}

/** Without a version, as metrics are, no two states are the same. */
function sameVersion(a: KubeObject, b: KubeObject): boolean {
  if ((a.metadata.resourceVersion ?? '') === '') return false;
  return a.metadata.resourceVersion === b.metadata.resourceVersion && a.metadata.uid === b.metadata.uid;
}

function merge(known: readonly KubeObject[], delta: Extract<LiveFrame, { type: 'delta' }>): readonly KubeObject[] {
  const changedByKey = new Map(delta.changed.map((object) => [liveKey(object), object]));
  const deleted = new Set(delta.deleted.map((name) => liveKey({ metadata: name })));
  // Of ten thousand objects a few are meant: their keys are not put together for all the others.
  const meant = new Set([...delta.changed.map(({ metadata }) => metadata), ...delta.deleted].map(({ name }) => name));
  const kept: KubeObject[] = [];
  for (const object of known) {
    if (!meant.has(object.metadata.name)) {
      kept.push(object);
      continue;
    }
    const key = liveKey(object);
    if (deleted.has(key)) continue;
    kept.push(changedByKey.get(key) ?? object);
    changedByKey.delete(key);
  }
  return [...kept, ...changedByKey.values()];
}
