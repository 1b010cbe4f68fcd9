'use client';

import { useState } from 'react';
import { request } from '@/components/live/request';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { labelPatch, parseLabelChange, reservedKeys } from '@/lib/kube/bulk/label-change';
import { CONSOLE_MANAGER } from '@/lib/kube/ownership/revert';
import { objectPath } from '../object-address';
import { BulkForm, TargetList } from './bulk-form';
import { BulkOwnersNotice } from './bulk-owners';
import { type BulkAct, type BulkDialogProps, countedTargets, targetName } from './bulk-target';
import { useBulkRun } from './use-bulk-run';

/** Sets and removes labels of many objects, as `kubectl label` does. */
export function LabelManyDialog({ targets, onClose }: BulkDialogProps) {
  const progress = useBulkRun(targets);
  const [text, setText] = useState('');
  const change = parseLabelChange(text);
  const problem = typeof change === 'string' ? change : undefined;
  const reserved = typeof change === 'string' ? [] : reservedKeys(change);
  const act: BulkAct = async (target) => {
    if (typeof change === 'string') return change;
    await request(`${objectPath(target)}?fieldManager=${CONSOLE_MANAGER}`, {
      method: 'PATCH',
      body: labelPatch(change, target.uid),
      contentType: 'application/merge-patch+json',
    });
    return undefined;
  };
  return (
    <Dialog open onClose={() => onClose()} title={`Label ${countedTargets(targets)}`}>
      <BulkForm
        targets={targets}
        progress={progress}
        label={`Label ${countedTargets(targets)}`}
        block={problem}
        act={act}
        onClose={() => onClose()}
      >
        <TargetList names={targets.map(targetName)} />
        <Field
          label="Labels"
          hint="key=value sets a label, key- removes one. Separate several with spaces."
          error={text.trim() === '' ? undefined : problem}
          required
        >
          {(wiring) => (
            <Input
              {...wiring}
              mono
              data-first-focus
              autoComplete="off"
              spellCheck={false}
              placeholder="team=shop old-label-"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        {reserved.length > 0 && (
          <Notice
            tone="wait"
            title={`${reserved.join(', ')}: Kubernetes and its tools use ${reserved.length === 1 ? 'this label' : 'these labels'}`}
          >
            Controllers and tools may find the object by such a label, or set it again.
          </Notice>
        )}
        <BulkOwnersNotice targets={targets} effect="revert the labels" />
      </BulkForm>
    </Dialog>
  );
}
