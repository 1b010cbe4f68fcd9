'use client';

import { useState } from 'react';
import { useRightToRun } from '@/components/access/instance-rights';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { EmptyState } from '@/components/ui/empty-state';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { withoutVersion } from '@/lib/kudo/view/plan-availability';
import { ConsequenceBar } from './consequence-bar';
import { LazyReviewDialog } from './lazy-review-dialog';
import { MoveToSecret } from './move-to-secret';
import { fixText } from './parameter-draft';
import { ParameterForm } from './parameter-form';
import { SecretPlace } from './secret-place';
import { useApplyEdit } from './use-apply-edit';
import { useAskedValue } from './use-asked-value';
import { useParameterDraft } from './use-parameter-draft';

/** The parameters of an Instance: edit, preview, review, apply. */
export function ParametersTab() {
  const { row } = useInstanceView();
  if (row === undefined) return null;
  if (row.operatorVersionObject === undefined) {
    return (
      <section className="card">
        <EmptyState title="The parameters are unknown">{withoutVersion(row)} It defines the parameters.</EmptyState>
      </section>
    );
  }
  return <ParameterEditor row={row} />;
}

function ParameterEditor({ row }: { row: InstanceRow }) {
  const editing = useParameterDraft(row);
  useAskedValue(editing);
  const [reviewing, setReviewing] = useState(false);
  const apply = useApplyEdit(() => {
    editing.discard();
    setReviewing(false);
  });
  const { block } = useRightToRun(row);
  const problems = new Map([...editing.problems, ...apply.fieldProblems]);
  const isDeleting = row.instance.metadata.deletionTimestamp !== undefined;
  return (
    <div className="pb-2">
      <MoveToSecret row={row} />
      <ParameterForm
        groups={editing.groups}
        draft={editing.draft}
        problems={problems}
        conflicts={editing.conflicts}
        onChange={(name, value) => {
          apply.reset();
          editing.change(name, value);
        }}
      />
      {editing.secret !== undefined && (
        <SecretPlace
          namespace={row.namespace}
          secret={editing.secret}
          isInline={editing.isInline}
          onChange={editing.setInline}
        />
      )}
      <ConsequenceBar
        editing={editing}
        problems={problems}
        row={row}
        apply={apply}
        blocked={isDeleting ? 'The instance is being deleted.' : block}
        onReview={() => setReviewing(true)}
      />
      <LazyReviewDialog
        open={reviewing}
        onClose={() => setReviewing(false)}
        row={row}
        editing={editing}
        fix={fixText(
          problems,
          editing.groups.flatMap((group) => group.fields),
        )}
        apply={apply}
      />
    </div>
  );
}
