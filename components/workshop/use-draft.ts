'use client';

import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { accountOfPage } from '@/components/live/account';
import { messageOf } from '@/lib/errors/errors';
import { randomUuid, systemRandom } from '@/lib/random/random';
import { findDraft } from './draft-db';
import { DraftKeeper, type KeptDraft } from './draft-keeper';

/** The opening of a draft. */
export type OpenedDraft =
  | { readonly status: 'loading' | 'missing' }
  | { readonly status: 'failed'; readonly message: string }
  | { readonly status: 'ready'; readonly keeper: DraftKeeper };

/** Loads a draft of the account, and keeps it while the component is mounted. */
export function useDraft(id: string): OpenedDraft {
  const [opened, setOpened] = useState<OpenedDraft>({ status: 'loading' });
  useEffect(() => {
    let keeper: DraftKeeper | undefined;
    let isOpen = true;
    const open = async () => {
      const draft = await findDraft(accountOfPage(), id);
      if (!isOpen) return;
      if (draft === undefined) return setOpened({ status: 'missing' });
      keeper = new DraftKeeper(draft, randomUuid(systemRandom));
      setOpened({ status: 'ready', keeper });
    };
    open().catch((error: unknown) => setOpened({ status: 'failed', message: messageOf(error) }));
    return () => {
      isOpen = false;
      keeper?.close();
    };
  }, [id]);
  return opened;
}

/** What a keeper holds, whenever it changes. */
export function useKept(keeper: DraftKeeper): KeptDraft {
  const view = useCallback(() => keeper.view(), [keeper]);
  return useSyncExternalStore(keeper.subscribe, view, view);
}
