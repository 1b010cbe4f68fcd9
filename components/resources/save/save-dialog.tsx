'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { nameOf } from '@/lib/kube/object';
import { TextVersions } from '../text-versions';
import { FieldManagers } from './field-managers';
import { keepTheirs, reviewTexts, type SaveReview, type TakenField, takenFields, unstoredFields } from './save-review';

interface SaveDialogProps {
  readonly review: SaveReview;
  /** The text that was reviewed. */
  readonly text: string;
  readonly isMasked: boolean;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onSave: () => void;
  /** The text with a field as it is stored: it is reviewed again. */
  readonly onKeep: (text: string) => void;
}

/** What a save changes, before it is saved: both versions, and the fields that other field managers set. */
export function SaveDialog({ review, text, isMasked, isBusy, onClose, onSave, onKeep }: SaveDialogProps) {
  const [refused, setRefused] = useState<string>();
  const { before } = review;
  const taken = takenFields(review);
  const unstored = unstoredFields(review);
  const { left, right } = reviewTexts(review, isMasked);
  const keep = (field: TakenField) => {
    const kept = keepTheirs(text, before, field);
    setRefused(kept === undefined ? field.path : undefined);
    if (kept !== undefined) onKeep(kept);
  };
  const unchanged = left === right ? 'Nothing would change.' : undefined;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Save ${before.kind} ${nameOf(before)}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={isBusy} disabledReason={unchanged} onClick={onSave}>
            {taken.length === 0 ? 'Save' : 'Take over and save'}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <FieldManagers fields={taken} isBusy={isBusy} onKeep={keep} />
        {refused !== undefined && (
          <Notice tone="fail" alert title={`${refused} was not put back`}>
            The text cannot be changed at this field alone. Edit it in the text.
          </Notice>
        )}
        {unstored.length > 0 && (
          <Notice tone="wait" title="The API server does not store these edits as you wrote them">
            <FieldList paths={unstored.map(({ path }) => path)} />
          </Notice>
        )}
        {review.untried !== undefined && (
          <Notice tone="wait" title="The change could not be tried before it is saved">
            {review.untried}
          </Notice>
        )}
        {unchanged === undefined ? (
          <TextVersions
            {...{ left, right }}
            leftTitle="In the cluster"
            rightTitle={review.untried === undefined ? 'After saving, by a dry run' : 'As you wrote it'}
          />
        ) : (
          <p>Nothing would change: the object is stored as it is already.</p>
        )}
      </div>
    </Dialog>
  );
}

const MOST_FIELDS = 12;

function FieldList({ paths }: { paths: readonly string[] }) {
  return (
    <ul>
      {paths.slice(0, MOST_FIELDS).map((path) => (
        <li key={path}>
          <code>{path}</code>
        </li>
      ))}
      {paths.length > MOST_FIELDS && <li>{paths.length - MOST_FIELDS} more</li>}
    </ul>
  );
}
