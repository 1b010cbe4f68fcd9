'use client';

import { useState } from 'react';
import { useRightToRun } from '@/components/access/instance-rights';
import { useInstanceView } from '@/components/instances/instance-context';
import type { InstanceRow } from '@/components/instances/instance-row';
import { withoutVersion } from '@/components/instances/plan-availability';
import { EmptyState } from '@/components/ui/empty-state';
import { ConsequenceBar } from './consequence-bar';
import { LazyReviewDialog } from './lazy-review-dialog';
import { MoveToSecret } from './move-to-secret';
import { ParameterForm } from './parameter-form';
import { SecretPlace } from './secret-place';
import { useApplyEdit } from './use-apply-edit';
import { useParameterDraft } from './use-parameter-draft';

/** The parameters of an Instance: edit, see what it will do, review, apply. */
export function ParametersTab() {
  const { row } = useInstanceView();
  if (row === undefined) return null;
  if (row.operatorVersionObject === undefined) {
    return (
      <section className="card">
        <EmptyState title="The parameters are not known">{withoutVersion(row)} It defines them.</EmptyState>
      </section>
    );
  }
  return <ParameterEditor row={row} />;
}

function ParameterEditor({ row }: { row: InstanceRow }) {
  const editing = useParameterDraft(row);
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
        hasProblems={problems.size > 0}
        apply={apply}
      />
    </div>
  );
}
