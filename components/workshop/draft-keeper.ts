import { systemClock } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import type { PackageFiles } from '@/lib/kudo/package/types';
import { type DraftChannel, openDraftChannel } from './draft-channel';
import { type Draft, findDraft, saveDraft } from './draft-db';

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
 * taken over when this tab has nothing unsaved.
 */
export class DraftKeeper {
  private readonly listeners = new Set<() => void>();
  private readonly channel: DraftChannel;
  private isWriting = false;
  /** The revision that is stored, as far as this tab knows. */
  private stored: number;

  constructor(
    private kept: KeptDraft,
    tab: string,
  ) {
    this.stored = kept.draft.revision;
    this.channel = openDraftChannel(kept.draft.id, tab, {
      onTabs: (otherTabs) => this.set({ otherTabs }),
      onSaved: () => void this.follow(),
    });
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
    this.stored = theirs?.revision ?? this.stored;
    this.set({ draft: choice === 'theirs' && theirs !== undefined ? theirs : draft, state: 'saving' });
    await this.write();
  }

  close(): void {
    this.channel.close();
  }

  private async write(): Promise<void> {
    if (this.isWriting || this.kept.state !== 'saving') return;
    this.isWriting = true;
    try {
      for (let written: PackageFiles | undefined; written !== this.kept.draft.files; ) {
        const next = { ...this.kept.draft, revision: this.stored + 1 };
        written = next.files;
        if ((await saveDraft(next)) !== undefined) return this.set({ state: 'conflict' });
        this.stored = next.revision;
        this.channel.saved();
      }
      this.set({ state: 'saved', message: '' });
    } catch (error) {
      this.set({ state: 'failed', message: messageOf(error) });
    } finally {
      this.isWriting = false;
    }
  }

  /** Another tab has written. */
  private async follow(): Promise<void> {
    const { draft, state } = this.kept;
    if (state !== 'saved') return;
    const theirs = await findDraft(draft.account, draft.id);
    if (theirs === undefined || theirs.revision <= this.stored || this.kept.draft !== draft) return;
    this.stored = theirs.revision;
    this.set({ draft: theirs });
  }

  private set(change: Partial<KeptDraft>): void {
    this.kept = { ...this.kept, ...change };
    for (const listener of this.listeners) listener();
  }
}
