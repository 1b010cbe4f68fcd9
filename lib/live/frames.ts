import type { KubeObject } from '@/lib/kube/object';
import { formatTopic, type Topic } from './topic';

/**
 * The frames of `/api/live` (server-sent events; the event's name is `type`, its data the JSON of the frame).
 *
 * A client names its topics and, per topic, the last cursor it saw. For each topic it gets either what changed since, or a
 * snapshot that replaces everything. Cursors are opaque; one of another server process leads to a snapshot.
 */
export type LiveFrame =
  /** `view`: as whom the stream reads; empty for the person. What follows is not for a page of another view. */
  | { type: 'hello'; version: string; nowMs: number; view: string }
  | SnapshotFrame
  /** `last`: how the object of a topic of one ended, since nobody can read it any more. */
  | {
      type: 'delta';
      topic: string;
      cursor: string;
      changed: KubeObject[];
      deleted: ObjectName[];
      last?: KubeObject;
      nowMs: number;
    }
  /** The topic cannot be read: 403, no such resource, or the API is away. It may be readable again later. */
  | { type: 'problem'; topic: string; problem: TopicProblem }
  /**
   * The server's own watch of the topic is behind since then; `undefined` when it caught up, and at the start of a stream for a client that
   * comes back with a cursor: what the stream before said is valid until then.
   */
  | { type: 'stale'; topic: string; sinceMs: number | undefined }
  | { type: 'tick'; nowMs: number }
  /** This server is being stopped and ends the stream; the client opens a new one after so long, and reaches another server. */
  | { type: 'resume'; afterMs: number }
  /** Where this server's controller is; first after `hello`, then whenever that changed (noticed within a tick). */
  | { type: 'controller'; state: ControllerWord };

/**
 * All objects of a topic. Without a cursor it is only the beginning of `total` objects, for the first drawing of a page. With `read` the
 * server itself knows only so many of them yet, and the beginning is that of these.
 */
export interface SnapshotFrame {
  type: 'snapshot';
  topic: string;
  cursor?: string;
  objects: KubeObject[];
  total?: number;
  read?: number;
  nowMs: number;
}

/**
 * In this process, wanted but another one holds the lease, wanted but it may not use the lease, not started, or it ended and is
 * started again.
 */
export type ControllerWord = 'running' | 'standby' | 'forbidden' | 'yields' | 'off' | 'failed';

export interface ObjectName {
  namespace: string;
  name: string;
}

export interface TopicProblem {
  status: 'forbidden' | 'missing' | 'failed';
  message: string;
}

/** `namespace/name`, or the name alone for cluster-scoped objects. */
export function liveKey(object: { metadata: { namespace?: string; name?: string } }): string {
  const { namespace, name = '' } = object.metadata;
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** The objects of a topic in a seed; nothing when it could not be read. */
export function snapshotOf(seed: LiveSeed, topic: Topic): readonly KubeObject[] {
  const key = formatTopic(topic);
  const frame = seed.find((each) => each.type === 'snapshot' && each.topic === key);
  return frame?.type === 'snapshot' ? frame.objects : [];
}

/** What a server-rendered page hands to the browser: the same as a `snapshot` or `problem` frame of each topic. */
export type LiveSeed = readonly LiveFrame[];
