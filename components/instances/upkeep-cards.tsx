'use client';

import { useEffect } from 'react';
import { useTopic } from '@/components/live/use-topic';
import { SelfHealPaused } from '@/components/resources/managed/managed-notice';
import { SELF_HEAL_ANNOTATION } from '@/lib/kudo/names';
import { formatTopic, type Topic } from '@/lib/live/topic';
import { DriftCard } from './drift-card';
import { useInstanceView } from './instance-context';
import { LeftoverCard } from './leftover-card';

/** What was changed outside, and what earlier plans left over; nothing at all while there is neither. */
export function UpkeepCards() {
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
  const { namespace, upkeep } = useInstanceView();
  const { report, ring } = upkeep;
  if (report === undefined) return null;
  const { drifted, leftovers, resources, notes, selfHeal } = report;
  return (
    <>
      {resources.map((resource) => {
        const topic = { ...resource, namespace };
        return <Bell key={formatTopic(topic)} topic={topic} ring={ring} />;
      })}
      {drifted.length > 0 && <DriftCard drifted={drifted} notes={notes} selfHeal={selfHeal} />}
      {leftovers.length > 0 && <LeftoverCard leftovers={leftovers} />}
    </>
  );
}

/** Rings when an object of the topic changes. Rows are enough: their resourceVersion changes with everything. */
function Bell({ topic, ring }: { topic: Topic; ring: () => void }) {
  const { objects } = useTopic({ ...topic, view: 'rows' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the objects are the bell, not an input
  useEffect(ring, [ring, objects]);
  return null;
}
