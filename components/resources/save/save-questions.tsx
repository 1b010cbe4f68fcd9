'use client';

import { EditedElsewhere } from '../edited-elsewhere';
import { RevertDialog } from '../managed/revert-dialog';
import { isMaskedKind } from '../secret-mask';
import type { SaveWay } from '../use-object-draft';
import { LaterSaveDialog } from './later-save-dialog';
import type { useSaving } from './use-saving';

interface SaveQuestionsProps {
  readonly saving: ReturnType<typeof useSaving>;
}

/** The dialogs between *Save* and the write: what changes, then who reverts it. */
export function SaveQuestions({ saving }: SaveQuestionsProps) {
  const { review, asked, draft, address } = saving;
  if (asked !== undefined) return <WhoReverts saving={saving} way={asked} />;
  if (review === undefined) return null;
  return (
    <LaterSaveDialog
      review={review.found}
      text={draft.text ?? ''}
      isMasked={isMaskedKind(address.type)}
      isBusy={draft.isSaving}
      onClose={saving.close}
      onKeep={saving.keep}
      onSave={() => saving.confirm(review.way)}
    />
  );
}

/** The question before a save that something reverts: self-heal, or a tool outside. */
function WhoReverts({ saving, way }: SaveQuestionsProps & { way: SaveWay }) {
  const { manager, live, address, draft, tools } = saving;
  const answers = { onClose: saving.close, onSave: () => saving.write(way) };
  if (manager?.selfHeal === 'on') {
    if (live === undefined) return null;
    return <RevertDialog manager={manager} object={live} changed={draft.changedFields()} {...answers} />;
  }
  return <EditedElsewhere type={address.type} {...{ draft, tools }} {...answers} />;
}
