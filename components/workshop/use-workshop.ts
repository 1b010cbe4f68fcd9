'use client';

import { useMemo, useState } from 'react';
import { DEPLOY_PLAN } from '@/lib/kudo/names';
import type { DraftProblem } from '@/lib/workshop/check-draft';
import { titleOfFiles } from '@/lib/workshop/draft-version';
import type { DraftKeeper } from './draft-keeper';
import { useChecks } from './use-checks';
import { useKept } from './use-draft';
import { useFileActions } from './use-file-actions';
import { useKnowledge } from './use-knowledge';
import { useFormValues } from './use-values';

const NOTHING: readonly DraftProblem[] = [];

/** Everything that the parts of the workshop show of one draft. */
export function useWorkshop(keeper: DraftKeeper) {
  const kept = useKept(keeper);
  const { files } = kept.draft;
  const actions = useFileActions(keeper, files);
  const [plan, setPlan] = useState(DEPLOY_PLAN);
  const [values, setValues] = useState<{ readonly [name: string]: string }>({});
  const title = useMemo(() => titleOfFiles(files), [files]);
  const name = title.name || 'package';
  const wish = useMemo(
    () => ({ plan, instance: name, namespace: 'default', parameters: values }),
    [plan, name, values],
  );
  const checks = useChecks(files, wish);
  const form = useFormValues(checks.objects?.operatorVersion);
  if (form.values !== values) setValues(form.values);
  const text = files.get(actions.path) ?? '';
  const knowledge = useKnowledge(files, text, checks);
  const problems = checks.checked?.problems ?? NOTHING;
  const own = useMemo(() => problems.filter(({ file }) => file === actions.path), [problems, actions.path]);
  return { kept, files, actions, plan, setPlan, values, title, checks, form, text, knowledge, problems, own };
}

export type Workshop = ReturnType<typeof useWorkshop>;
