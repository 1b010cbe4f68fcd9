'use client';

import { useEffect, useMemo, useState } from 'react';
import type { InstanceRow } from '@/components/instances/instance-row';
import { type FormGroup, formModel } from '@/lib/kudo/form-model';
import type { ParameterEdit } from '@/lib/kudo/parameter-edit';
import { placeEdit } from '@/lib/kudo/sources/place-edit';
import { type ChangePreview, planForChange } from '@/lib/kudo/triggers';
import { EMPTY_DRAFT, keepInMemory, takeUpDrafts, useDraftStore } from './draft-store';
import { draftChanges, draftProblems, type ParameterChange, type ParameterDraft } from './parameter-draft';

export interface ParameterEditing {
  readonly groups: readonly FormGroup[];
  readonly draft: ParameterDraft;
  readonly changes: readonly ParameterChange[];
  readonly problems: ReadonlyMap<string, string>;
  /** Values that others stored since the draft was begun, by name. */
  readonly conflicts: ReadonlyMap<string, string>;
  /** What applying would do; undefined without changes. */
  readonly preview: ChangePreview | undefined;
  /** The Secrets that the edit writes, in a sentence; undefined when it changes no secret value. */
  readonly secret: string | undefined;
  /** True when new secret values are to be stored in the Instance. */
  readonly isInline: boolean;
  setInline(isInline: boolean): void;
  /** The edit as the server wants it. */
  readonly edit: ParameterEdit;
  change(name: string, value: string | null | undefined): void;
  discard(): void;
}

/** The form of an Instance's parameters with the person's draft over what is stored. */
export function useParameterDraft(row: InstanceRow): ParameterEditing {
  const { instance, operatorVersionObject: version } = row;
  const id = `${row.key}/${instance.metadata.uid ?? ''}`;
  const stored = useDraftStore((state) => state.drafts[id]) ?? EMPTY_DRAFT;
  const groups = useMemo(() => (version === undefined ? [] : formModel(version, instance)), [version, instance]);
  useEffect(() => {
    const secrets = groups.flatMap((group) => group.fields).filter((field) => field.isSecret);
    keepInMemory(secrets.map((field) => field.name));
    takeUpDrafts();
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
  const secrets = Object.keys(placeEdit(instance, version, { parameters }).secrets);
  return {
    groups,
    draft,
    changes,
    problems,
    conflicts,
    preview: changes.length === 0 ? undefined : planForChange(instance, version, { parameters }),
    secret: secrets.length === 0 ? undefined : secrets.join(' and '),
    isInline,
    setInline,
    edit: {
      parameters,
      inline: isInline,
      // What is stored now: the person sees it beside the field (as a conflict), so applying is meant.
      seen: Object.fromEntries(
        changes.filter(({ field }) => !field.isSecret).map(({ field }) => [field.name, values?.[field.name] ?? null]),
      ),
    },
    change: (name, value) => useDraftStore.getState().edit(id, name, value, values?.[name] ?? null),
    discard: () => useDraftStore.getState().clear(id),
  };
}
