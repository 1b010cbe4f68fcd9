'use client';

import { useMemo, useState } from 'react';
import { installValues } from '@/components/install/install-draft';
import { draftProblems, type ParameterDraft } from '@/components/parameters/parameter-draft';
import type { OperatorVersion } from '@/lib/kudo/types';
import { type FormGroup, formModel } from '@/lib/kudo/view/form-model';

/** The values with which the draft is rendered. They are in this page only, never stored. */
export interface FormValues {
  readonly groups: readonly FormGroup[];
  readonly draft: ParameterDraft;
  readonly problems: ReadonlyMap<string, string>;
  /** Those that differ from the defaults. */
  readonly values: { readonly [name: string]: string };
  change(name: string, value: string | null | undefined): void;
}

export function useFormValues(version: OperatorVersion | undefined): FormValues {
  const [draft, setDraft] = useState<ParameterDraft>({});
  const groups = useMemo(() => (version === undefined ? [] : formModel(version)), [version]);
  const problems = useMemo(() => draftProblems(groups, draft), [groups, draft]);
  const values = useStable(useMemo(() => installValues(groups, draft), [groups, draft]));
  return {
    groups,
    draft,
    problems,
    values,
    change: (name, value) =>
      setDraft(({ [name]: _, ...rest }) => (value === undefined ? rest : { ...rest, [name]: value })),
  };
}

/** The same object while its content is the same: each keystroke makes new groups, which is no reason to render again. */
function useStable(values: { readonly [name: string]: string }): { readonly [name: string]: string } {
  const key = JSON.stringify(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the content
  return useMemo(() => values, [key]);
}
