import type { LiveFrame, SnapshotFrame } from '@/lib/live/frames';

/** The reading side of a feed: what streams and rendered pages use. */
export interface ReadFeed {
  readonly topic: string;
  readonly staleSinceMs: number | undefined;
  readonly isLoading: boolean;
  readonly hasPart: boolean;
  readonly size: number;
  readonly partCursor: string | undefined;
  onChange(listener: () => void): () => void;
  /** How many changes came after a cursor; 0 for a cursor of another feed. */
  changesSince(cursor: string | undefined): number;
  since(cursor: string | undefined, nowMs: number): Extract<LiveFrame, { topic: string }> | undefined;
  beginning(nowMs: number): SnapshotFrame;
  snapshot(nowMs: number): SnapshotFrame;
}
