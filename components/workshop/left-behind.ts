import { parseUnsavedEdits, type UnsavedEdits } from '@/lib/workshop/unsaved-edits';

const keyOf = (draft: string) => `bravo-workshop-unsaved/${draft}`;

/**
 * Keeps what a tab has not stored of a draft when it is left. IndexedDB gives up writes that run when a page goes away; localStorage
 * writes at once.
 */
export function leaveBehind(draft: string, edits: UnsavedEdits): void {
  try {
    window.localStorage.setItem(keyOf(draft), JSON.stringify(edits));
  } catch {
    // More than the browser keeps for a page, or a browser that keeps nothing: the draft is as it was last stored.
  }
}

/** What was left behind of a draft, if anything. */
export function leftBehind(draft: string): UnsavedEdits | undefined {
  try {
    return parseUnsavedEdits(window.localStorage.getItem(keyOf(draft)));
  } catch {
    return undefined;
  }
}

/** Forgets it: it is stored, or the draft is deleted. */
export function forgetLeftBehind(draft: string): void {
  try {
    window.localStorage.removeItem(keyOf(draft));
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
