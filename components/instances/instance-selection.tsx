'use client';

import { Play } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useMemo, useState } from 'react';
import { useBlocks } from '@/components/access/use-access';
import { useBulkActions } from '@/components/resources/bulk/use-bulk-actions';
import { Button } from '@/components/ui/button';
import { loadPart } from '@/components/ui/load-part';
import type { RowSelection } from '@/components/ui/selection/row-selection';
import { SelectionBar } from '@/components/ui/selection/selection-bar';
import { useSurvey } from '@/components/ui/selection/use-selection';
import { toUpgrade } from '@/lib/kudo/view/action-rights';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { topics } from '@/lib/live/topic';

/** Loaded when somebody runs a plan on many Instances. */
const WavesDialog = dynamic(
  () => loadPart(() => import('@/components/upgrades/waves-dialog')).then((module) => module.WavesDialog),
  {
    ssr: false,
  },
);

const VERBS = ['delete', 'patch'] as const;
/** Namespaces whose rights are asked for; in more, the API server says who may what. */
const MOST_NAMESPACES = 20;

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
  const waves = useWaves(survey.present);
  return (
    <>
      <SelectionBar selection={selection} survey={survey} nameOf={({ name }) => name}>
        <Button
          size="small"
          icon={<Play size={14} aria-hidden="true" />}
          disabledReason={waves.block}
          onClick={() => waves.ask(survey.present)}
        >
          Run a plan
        </Button>
        {actions.buttons}
      </SelectionBar>
      {actions.dialog}
      {waves.asked !== undefined && <WavesDialog rows={waves.asked} onClose={() => waves.ask(undefined)} />}
    </>
  );
}

/** The Instances that the dialog is about, fixed when it opens; and why the person may start no waves anywhere. */
function useWaves(present: readonly InstanceRow[]) {
  const [asked, ask] = useState<readonly InstanceRow[]>();
  const namespaces = [...new Set(present.map(({ namespace }) => namespace))].slice(0, MOST_NAMESPACES);
  const blocks = useBlocks(namespaces.map((namespace) => toUpgrade('create', namespace)));
  return { asked, ask, block: blocks.find((block) => block !== undefined) };
}
