'use client';

import { useEffect, useMemo, useState } from 'react';
import { useLockBreak } from '@/components/access/instance-lock';
import { useNow } from '@/components/ui/use-now';
import { type ChangePreview, planForChange } from '@/lib/kudo/admission/triggers';
import type { ParameterEdit } from '@/lib/kudo/parameters/parameter-edit';
import { placeEdit } from '@/lib/kudo/sources/place-edit';
import { type FormGroup, formModel } from '@/lib/kudo/view/form-model';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { EMPTY_DRAFT, keepInMemory, loadDrafts, useDraftStore } from './draft-store';
import { type DraftChange, draftChanges, draftProblems, type ParameterDraft } from './parameter-draft';

export interface ParameterEditing {
  readonly groups: readonly FormGroup[];
  readonly draft: ParameterDraft;
  readonly changes: readonly DraftChange[];
  readonly problems: ReadonlyMap<string, string>;
  /** Values that somebody else stored since the draft was started, by name. */
  readonly conflicts: ReadonlyMap<string, string>;
  /** What applying does; undefined without changes. */
  readonly preview: ChangePreview | undefined;
  /** The names of the Secrets that the edit writes; undefined when it changes no secret value. */
  readonly secret: string | undefined;
  /** True when new secret values are to be stored in the Instance. */
  readonly isInline: boolean;
  setInline(isInline: boolean): void;
  /** The edit, as the API route takes it. */
  readonly edit: ParameterEdit;
  change(name: string, value: string | null | undefined): void;
  discard(): void;
}

/** A lock may end while the form is open. */
const LOOK_EVERY_MS = 2_000;

/** The form of an Instance's parameters with the draft over the stored values. */
export function useParameterDraft(row: InstanceRow): ParameterEditing {
  const { instance, operatorVersionObject: version } = row;
  const id = `${row.key}/${instance.metadata.uid ?? ''}`;
  const stored = useDraftStore((state) => state.drafts[id]) ?? EMPTY_DRAFT;
  const groups = useMemo(() => (version === undefined ? [] : formModel(version, instance)), [version, instance]);
  useEffect(() => {
    const secrets = groups.flatMap((group) => group.fields).filter((field) => field.isSecret);
    keepInMemory(secrets.map((field) => field.name));
    loadDrafts();
  }, [groups]);
  const draft = stored.values;
  const changes = useMemo(() => draftChanges(groups, draft), [groups, draft]);
  const problems = useMemo(() => draftProblems(groups, draft), [groups, draft]);
  const values = instance.spec?.parameters;
  const conflicts = useMemo(
    () =>
      new Map(
        changes
          .filter(
            ({ field }) => !field.isSecret && (values?.[field.name] ?? null) !== (stored.seen[field.name] ?? null),
          )
          .map(({ field }) => [field.name, field.value]),
      ),
    [changes, values, stored.seen],
  );
  const parameters = Object.fromEntries(changes.map(({ field, to }) => [field.name, to ?? null]));
  const [isInline, setInline] = useState(false);
  const nowMs = useNow(LOOK_EVERY_MS);
  const breakLock = useLockBreak(instance);
  const secrets = Object.keys(placeEdit(instance, version, { parameters }).secrets);
  return {
    groups,
    draft,
    changes,
    problems,
    conflicts,
    preview: changes.length === 0 ? undefined : planForChange(instance, version, { parameters, nowMs, breakLock }),
    secret: secrets.length === 0 ? undefined : secrets.join(' and '),
    isInline,
    setInline,
    edit: {
      parameters,
      inline: isInline,
      // The values stored now: a conflict is shown at the field, so a person who applies has seen it.
      seen: Object.fromEntries(
        changes.filter(({ field }) => !field.isSecret).map(({ field }) => [field.name, values?.[field.name] ?? null]),
      ),
    },
    change: (name, value) => useDraftStore.getState().edit(id, name, value, values?.[name] ?? null),
    discard: () => useDraftStore.getState().clear(id),
  };
}
