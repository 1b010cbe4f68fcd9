'use client';

import Link from 'next/link';
import type { PhaseView, PlanView, StepView } from '@/components/instances/active-plan';
import { healthStatus } from '@/components/instances/health-status';
import { useInstanceView } from '@/components/instances/instance-context';
import { useOwnedObjects } from '@/components/instances/use-owned-objects';
import { objectHref } from '@/components/resources/resource-path';
import { StatusMark } from '@/components/ui/status';
import type { OwnedObject } from '@/lib/kudo/owned-object';

const SHOWN = 6;

/** What a running step waits for: each object of it that is not healthy yet, and the pods of those, in a sentence each. */
export function WaitingFor({ plan, phase, step }: { plan: PlanView; phase: PhaseView; step: StepView }) {
  const { namespace } = useInstanceView();
  const { data } = useOwnedObjects();
  const waiting = waitedFor(data?.objects ?? [], { plan: plan.name, phase: phase.name, step: step.name });
  if (waiting.length === 0) return null;
  return (
    <ul className="grid gap-1">
      {waiting.slice(0, SHOWN).map((object) => (
        <li key={object.uid} className="flex items-start gap-2">
          <StatusMark status={healthStatus[object.health.state]} />
          <span>
            <Link href={objectHref(object, namespace, object.name)} className="link text-ink">
              <code>
                {object.kind} {object.name}
              </code>
            </Link>{' '}
            {object.health.message || object.health.state}
          </span>
        </li>
      ))}
      {waiting.length > SHOWN && <li>and {waiting.length - SHOWN} more</li>}
    </ul>
  );
}

/** Objects that this step applied and that are not healthy, then what those own. */
export function waitedFor(
  objects: readonly OwnedObject[],
  place: { plan: string; phase: string; step: string },
): OwnedObject[] {
  const applied = objects.filter(
    ({ place: at, health }) =>
      health.state !== 'healthy' && at.plan === place.plan && at.phase === place.phase && at.step === place.step,
  );
  const uids = new Set(applied.map(({ uid }) => uid));
  const owned = objects.filter(
    (object) => object.health.state !== 'healthy' && object.owner !== undefined && uids.has(object.owner.uid),
  );
  return [...applied.filter(({ kind }) => kind !== 'Pod'), ...owned, ...applied.filter(({ kind }) => kind === 'Pod')];
}
