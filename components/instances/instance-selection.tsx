'use client';

import { useMemo } from 'react';
import { useBulkActions } from '@/components/resources/bulk/use-bulk-actions';
import type { RowSelection } from '@/components/ui/selection/row-selection';
import { SelectionBar } from '@/components/ui/selection/selection-bar';
import { useSurvey } from '@/components/ui/selection/use-selection';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { topics } from '@/lib/live/topic';

const VERBS = ['delete', 'patch'] as const;

/** The selected Instances, and what can be done with them. */
export function InstanceSelection({
  selection,
  all,
  shown,
}: {
  selection: RowSelection<InstanceRow>;
  all: readonly InstanceRow[];
  shown: readonly InstanceRow[];
}) {
  const survey = useSurvey(selection, all, shown);
  const targets = useMemo(
    () =>
      survey.present.map(({ namespace, name, uid }) => ({
        type: topics.instances,
        namespace,
        name,
        uid,
        kind: 'Instance',
      })),
    [survey],
  );
  const actions = useBulkActions({ type: topics.instances, selection, targets, verbs: VERBS });
  return (
    <>
      <SelectionBar selection={selection} survey={survey} nameOf={({ name }) => name}>
        {actions.buttons}
      </SelectionBar>
      {actions.dialog}
    </>
  );
}
