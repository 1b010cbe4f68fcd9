'use client';

import { useEffect } from 'react';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { useTopic } from '@/components/live/use-topic';
import { SelfHealPaused } from '@/components/resources/managed/managed-notice';
import { SELF_HEAL_ANNOTATION } from '@/lib/kudo/names';
import { formatTopic, type Topic } from '@/lib/live/topic';
import { DriftCard } from './drift-card';
import { LeftoverCard } from './leftover-card';

/** Objects that were changed outside of plans, and leftovers of earlier plans; nothing when there is neither. */
export function DriftCards() {
  const { namespace, name, row, deleted } = useInstanceView();
  if (deleted) return null;
  const isPaused = row?.instance.metadata.annotations?.[SELF_HEAL_ANNOTATION] === 'off';
  return (
    <>
      {isPaused && <SelfHealPaused namespace={namespace} name={name} />}
      <ReportCards />
    </>
  );
}

function ReportCards() {
  const { namespace, drift } = useInstanceView();
  const { report, refresh } = drift;
  if (report === undefined) return null;
  const { drifted, leftovers, resources, notes, selfHeal } = report;
  return (
    <>
      {resources.map((resource) => {
        const topic = { ...resource, namespace };
        return <RefreshOnChange key={formatTopic(topic)} topic={topic} refresh={refresh} />;
      })}
      {drifted.length > 0 && <DriftCard drifted={drifted} notes={notes} selfHeal={selfHeal} />}
      {leftovers.length > 0 && <LeftoverCard leftovers={leftovers} />}
    </>
  );
}

/** Reads the report again when an object of the topic changes. Rows are enough: every change gives a new resourceVersion. */
function RefreshOnChange({ topic, refresh }: { topic: Topic; refresh: () => void }) {
  const { objects } = useTopic({ ...topic, view: 'rows' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the objects is the reason to read again, not an input
  useEffect(refresh, [refresh, objects]);
  return null;
}
