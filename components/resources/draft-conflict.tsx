'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import type { KubeObject } from '@/lib/kube/object';
import { draftText } from './object-draft';
import { TextVersions } from './text-versions';
import type { ObjectDraft } from './use-object-draft';

/** Says that the object was changed by somebody else while it was edited, shows both versions, and lets one be chosen. */
export function DraftConflict({
  draft,
  theirs,
  onOverwrite,
}: {
  draft: ObjectDraft;
  theirs: KubeObject;
  onOverwrite: () => void;
}) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="grid gap-3 border-t p-4">
      <Notice
        tone="wait"
        alert
        title="The object was changed by somebody else after you started to edit it"
        action={
          <span className="flex flex-wrap gap-2">
            <Button size="small" onClick={() => setIsShown(!isShown)}>
              {isShown ? 'Hide versions' : 'Show both versions'}
            </Button>
            <Button size="small" onClick={draft.discard}>
              Take theirs
            </Button>
            <Button size="small" variant="danger" busy={draft.isSaving} onClick={onOverwrite}>
              Overwrite with mine
            </Button>
          </span>
        }
      >
        Your text is kept until you choose a version.
      </Notice>
      {isShown && (
        <TextVersions
          left={draftText(theirs)}
          right={draft.text ?? ''}
          leftTitle={`In the cluster, version ${theirs.metadata.resourceVersion}`}
          rightTitle="Yours"
        />
      )}
    </div>
  );
}
