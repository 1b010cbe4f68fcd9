/** What the tabs of a browser tell each other about a draft. */
interface DraftMessage {
  readonly draft: string;
  /** `open`: who else has it? `here`: this tab. `saved`: there is a newer revision. `closed`: this tab no longer. */
  readonly word: 'open' | 'here' | 'saved' | 'closed';
  readonly tab: string;
}

export interface DraftChannel {
  /** Tells the other tabs that there is a newer revision. */
  saved(): void;
  close(): void;
}

/**
 * Connects the tabs that have a draft open.
 *
 * @param onTabs called with the number of other tabs that have it open, whenever that changes
 */
export function openDraftChannel(
  draft: string,
  tab: string,
  { onTabs, onSaved }: { onTabs: (others: number) => void; onSaved: () => void },
): DraftChannel {
  const channel = new BroadcastChannel('bravo-workshop');
  const others = new Set<string>();
  const say = (word: DraftMessage['word']) => channel.postMessage({ draft, word, tab } satisfies DraftMessage);
  const leave = () => say('closed');
  channel.onmessage = ({ data }: MessageEvent<DraftMessage>) => {
    if (data.draft !== draft) return;
    if (data.word === 'saved') onSaved();
    if (data.word === 'open') say('here');
    if (data.word === 'closed') others.delete(data.tab);
    else others.add(data.tab);
    onTabs(others.size);
  };
  window.addEventListener('pagehide', leave);
  say('open');
  return {
    saved: () => say('saved'),
    close() {
      window.removeEventListener('pagehide', leave);
      leave();
      channel.close();
    },
  };
}
