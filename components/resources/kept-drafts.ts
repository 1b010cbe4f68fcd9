import type { KubeObject } from '@/lib/kube/object';

/** An edited text, and the version of the object that it began with. */
export interface KeptObjectDraft {
  readonly base: KubeObject;
  readonly text: string;
}

/** Drafts of objects, so that the form and the YAML edit the same one; the oldest goes when there are more. */
const MOST = 20;

const kept = new Map<string, KeptObjectDraft>();

/** The draft of the object at a path, which another tab of its page left. */
export function keptDraft(path: string): KeptObjectDraft | undefined {
  return kept.get(path);
}

/** Keeps a draft until the page is loaded again; undefined forgets it. */
export function keepDraft(path: string, draft: KeptObjectDraft | undefined): void {
  kept.delete(path);
  if (draft !== undefined) kept.set(path, draft);
  const [oldest] = kept.keys();
  if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
}
