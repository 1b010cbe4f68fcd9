import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { titleOfFiles } from '@/lib/workshop/draft-version';
import { type Draft, deleteDraft } from './draft-db';
import { forgetLeftBehind } from './left-behind';

/** Asks before a draft is gone for good. */
export function DeleteDraftDialog({
  draft,
  onClose,
  onDeleted,
}: {
  draft: Draft | undefined;
  onClose: () => void;
  onDeleted: () => void;
}) {
  if (draft === undefined) return null;
  const name = titleOfFiles(draft.files).name || 'without a name';
  const remove = async () => {
    await deleteDraft(draft.id);
    forgetLeftBehind(draft.id);
    onDeleted();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Delete draft"
      footer={
        <>
          <Button onClick={onClose}>Keep</Button>
          <Button variant="destroy" onClick={() => void remove()}>
            Delete draft {name}
          </Button>
        </>
      }
    >
      <p>
        Draft {name} with {draft.files.size} files is deleted from this browser. Published packages and Instances do not
        change.
      </p>
    </Dialog>
  );
}
