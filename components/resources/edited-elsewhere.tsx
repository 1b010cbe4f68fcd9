'use client';

import dynamic from 'next/dynamic';
import { loadPart } from '@/components/ui/load-part';
import { type GroupVersionResource, type KubeObject, nameOf } from '@/lib/kube/object';
import { type Reversal, reversalBy } from '@/lib/kube/ownership/revert';
import { type KnownOwner, useToolOwners } from './ownership/use-reversals';
import type { ObjectDraft } from './use-object-draft';

const ToolDialog = dynamic(
  () => loadPart(() => import('./ownership/tool-dialog')).then((module) => module.ToolDialog),
  { ssr: false },
);

/** The tools that manage an object while it is edited. */
interface EditedOwners {
  readonly owners: readonly KnownOwner[];
  /** What they do with the fields that the draft changes; tools that neither set nor revert them are left out. */
  reversals(): readonly Reversal[];
}

/** The tools outside that manage an object, and what they do with a draft of it. */
export function useEditedOwners(object: KubeObject | undefined, draft: ObjectDraft): EditedOwners {
  const owners = useToolOwners(object);
  return {
    owners,
    reversals: () => {
      const fields = draft.changedFields().map(({ at }) => at);
      const stored = draft.edit()?.before ?? object;
      if (stored === undefined) return [];
      return owners
        .map(({ tool, source }) => reversalBy(tool, source, { object: stored, fields }))
        .filter(({ when }) => when !== 'stays');
    },
  };
}

interface EditedElsewhereProps {
  readonly type: GroupVersionResource;
  readonly draft: ObjectDraft;
  readonly tools: EditedOwners;
  readonly onClose: () => void;
  readonly onSave: () => void;
}

/** Asks before a draft is saved that a tool outside reverts. */
export function EditedElsewhere({ type, draft, tools, onClose, onSave }: EditedElsewhereProps) {
  const edit = draft.edit();
  if (edit === undefined) return null;
  const title = `Change ${edit.before.kind} ${nameOf(edit.before)}`;
  return (
    <ToolDialog
      owners={tools.owners}
      reversals={tools.reversals()}
      changed={draft.changedFields()}
      change={{ type, ...edit, title }}
      onClose={onClose}
      onSave={onSave}
    />
  );
}
