import { systemClock } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import type { PackageFiles } from '@/lib/kudo/package/types';
import { editsSince, withUnsavedEdits } from '@/lib/workshop/unsaved-edits';
import { type DraftChannel, openDraftChannel } from './draft-channel';
import { type Draft, findDraft, saveDraft } from './draft-db';
import { forgetLeftBehind, leaveBehind, leftBehind } from './left-behind';

/**
 * How much of a draft is stored.
 *
 * `saved`: all of it. `saving`: a write runs, or waits for one. `conflict`: another tab has changed the draft in the meantime, so that
 * nothing is written until the person chooses. `failed`: the browser refused the write; the next edit tries again.
 */
export type SaveState = 'saved' | 'saving' | 'conflict' | 'failed';

export interface KeptDraft {
  readonly draft: Draft;
  readonly state: SaveState;
  /** Why it failed. */
  readonly message: string;
  /** Other tabs that have this draft open. */
  readonly otherTabs: number;
}

/**
 * Keeps one draft of a tab stored: each edit is written at once, or as soon as the write before it has ended. A write of another tab is
 * taken over when this tab has nothing unsaved. What is not stored when the page is left is left behind, and stored when the draft is
 * opened the next time.
 */
export class DraftKeeper {
  private readonly listeners = new Set<() => void>();
  private readonly channel: DraftChannel;
  private kept: KeptDraft;
  /** What is stored, as far as this tab knows. */
  private stored: Draft;
  /** What a write is storing. */
  private writing: Draft | undefined;

  constructor(
    draft: Draft,
    private readonly tab: string,
  ) {
    this.stored = draft;
    this.kept = { draft, state: 'saved', message: '', otherTabs: 0 };
    this.channel = openDraftChannel(draft.id, tab, {
      onTabs: (otherTabs) => this.set({ otherTabs }),
      onSaved: () => void this.follow(),
    });
    window.addEventListener('pagehide', this.leave);
    this.takeOver();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly view = (): KeptDraft => this.kept;

  /** Changes the files, and stores them. */
  edit(change: (files: PackageFiles) => PackageFiles): void {
    const { draft, state } = this.kept;
    const files = change(draft.files);
    if (files === draft.files) return;
    const edited = { ...draft, files, changedMs: systemClock.now() };
    this.set({ draft: edited, state: state === 'conflict' ? state : 'saving' });
    void this.write();
  }

  /** Ends a conflict: the files of this tab are written over those of the other one, or given up. */
  async resolve(choice: 'mine' | 'theirs'): Promise<void> {
    const { draft } = this.kept;
    const theirs = await findDraft(draft.account, draft.id);
    this.stored = theirs ?? this.stored;
    this.set({ draft: choice === 'theirs' && theirs !== undefined ? theirs : draft, state: 'saving' });
    await this.write();
  }

  close(): void {
    this.channel.close();
    window.removeEventListener('pagehide', this.leave);
    this.leave();
  }

  private readonly leave = (): void => {
    const { draft, state } = this.kept;
    if (state === 'saved') return;
    const stored = this.writing === undefined ? [this.stored.files] : [this.stored.files, this.writing.files];
    const files = editsSince(draft.files, stored);
    leaveBehind(draft.id, { account: draft.account, tab: this.tab, revision: this.stored.revision, files });
  };

  /** Stores what a tab left behind; over the edits of another tab only when the person says so. */
  private takeOver(): void {
    const { draft } = this.kept;
    const taken = withUnsavedEdits(draft, leftBehind(draft.id));
    if (taken === undefined) {
      forgetLeftBehind(draft.id);
    } else {
      this.set({ draft: { ...draft, files: taken.files }, state: taken.isConflict ? 'conflict' : 'saving' });
      void this.write();
    }
  }

  private async write(): Promise<void> {
    if (this.writing !== undefined || this.kept.state !== 'saving') return;
    try {
      for (let written: PackageFiles | undefined; written !== this.kept.draft.files; ) {
        this.writing = { ...this.kept.draft, revision: this.stored.revision + 1, savedBy: this.tab };
        written = this.writing.files;
        if ((await saveDraft(this.writing)) !== undefined) return this.set({ state: 'conflict' });
        this.stored = this.writing;
        this.channel.saved();
      }
      forgetLeftBehind(this.stored.id);
      this.set({ state: 'saved', message: '' });
    } catch (error) {
      this.set({ state: 'failed', message: messageOf(error) });
    } finally {
      this.writing = undefined;
    }
  }

  /** Another tab has written. */
  private async follow(): Promise<void> {
    const { draft, state } = this.kept;
    if (state !== 'saved') return;
    const theirs = await findDraft(draft.account, draft.id);
    if (theirs === undefined || theirs.revision <= this.stored.revision || this.kept.draft !== draft) return;
    this.stored = theirs;
    this.set({ draft: theirs });
  }

  private set(change: Partial<KeptDraft>): void {
    this.kept = { ...this.kept, ...change };
    for (const listener of this.listeners) listener();
  }
}
