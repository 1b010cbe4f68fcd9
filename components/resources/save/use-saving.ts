'use client';

import { useState } from 'react';
import { showToast } from '@/components/ui/toast';
import type { KubeObject } from '@/lib/kube/object';
import { useEditedOwners } from '../edited-elsewhere';
import type { Manager } from '../managed/use-manager';
import type { ObjectAddress } from '../object-draft';
import type { ObjectDraft, SaveWay } from '../use-object-draft';
import type { SaveReview } from './save-review';

/** What is saved, and what is known of who else writes it. */
interface SavedObject {
  readonly address: ObjectAddress;
  readonly live: KubeObject | undefined;
  readonly draft: ObjectDraft;
  readonly manager: Manager | undefined;
}

/**
 * The steps of a save: a dry run (a refusal is shown where problems of the draft are), the review of its result, then the question of self-heal or of a
 * tool outside where one of them reverts the change, then the write.
 */
export function useSaving(saved: SavedObject) {
  const { address, live, draft, manager } = saved;
  const [latest, setReview] = useState<{
    readonly way: SaveWay;
    readonly found: SaveReview;
    readonly text: string | undefined;
  }>();
  // What was typed while the API server answered has not been reviewed.
  const review = latest?.text === draft.text ? latest : undefined;
  /** The save that waits for the answer to the question. */
  const [asked, setAsked] = useState<SaveWay>();
  const tools = useEditedOwners(live, draft);
  const open = async (way: SaveWay, text?: string) => {
    const found = await draft.review(way, text);
    setReview(found === undefined ? undefined : { way, found, text: text ?? draft.text });
  };
  const write = async (way: SaveWay) => {
    setAsked(undefined);
    if (await draft[way]()) showToast({ tone: 'ok', title: `Saved ${address.name}` });
  };
  return {
    ...saved,
    tools,
    review,
    asked,
    open: (way: SaveWay) => void open(way),
    write: (way: SaveWay) => void write(way),
    close: () => {
      setReview(undefined);
      setAsked(undefined);
    },
    confirm: (way: SaveWay) => {
      setReview(undefined);
      const isReverted = manager?.selfHeal === 'on' || tools.reversals().length > 0;
      if (isReverted && draft.changedFields().length > 0) setAsked(way);
      else void write(way);
    },
    /** Goes on with a text that has a field of another manager as it is stored. */
    keep: (text: string) => {
      draft.change(text);
      if (review !== undefined) void open(review.way, text);
    },
  };
}
