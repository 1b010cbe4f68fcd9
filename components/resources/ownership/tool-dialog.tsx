'use client';

import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { formatFieldPath, type Reversal } from '@/lib/kube/ownership/revert';
import type { ManifestChange } from '@/lib/kudo/commands/change-texts';
import type { ChangedField } from '../managed/changed-fields';
import { isMaskedKind } from '../secret-mask';
import { ReversalList } from './reversal-list';
import { TakeElsewhere } from './take-elsewhere';
import type { KnownOwner } from './use-reversals';

interface ToolDialogProps {
  readonly owners: readonly KnownOwner[];
  readonly reversals: readonly Reversal[];
  readonly changed: readonly ChangedField[];
  readonly change: ManifestChange;
  readonly onClose: () => void;
  readonly onSave: () => void;
}

/** Asks before an edit is saved that Argo CD, Flux or Helm will revert, and offers to take it to the repository instead. */
export function ToolDialog({ owners, reversals, changed, change, onClose, onSave }: ToolDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="This object is managed elsewhere"
      footer={
        <>
          {!isMaskedKind(change.type) && (
            <span className="me-auto">
              <TakeElsewhere change={change} owner={owners[0]} />
            </span>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={onSave}>
            Save anyway
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <ReversalList reversals={reversals} what="this object" />
        <ul aria-label="Changed fields" className="grid gap-1">
          {changed.slice(0, MOST_FIELDS).map(({ at }) => (
            <li key={formatFieldPath(at)} className="[overflow-wrap:anywhere]">
              <code>{formatFieldPath(at)}</code>
            </li>
          ))}
          {changed.length > MOST_FIELDS && <li className="text-ink-2">{changed.length - MOST_FIELDS} more</li>}
        </ul>
        <p className="text-ink-2">
          {isMaskedKind(change.type)
            ? 'To keep the change, make it where the manifests are. Values of Secrets are not exported.'
            : 'To keep the change, make it where the manifests are: Export gives it as a pull request, a manifest or a patch.'}
        </p>
      </div>
    </Dialog>
  );
}

const MOST_FIELDS = 8;
