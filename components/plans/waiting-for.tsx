'use client';

import { useInstanceView } from '@/components/instance-view/instance-context';
import { useOwnedObjects } from '@/components/instance-view/use-owned-objects';
import { objectHref } from '@/components/resources/resource-path';
import { Link } from '@/components/ui/link';
import { StatusIcon } from '@/components/ui/status-icon';
import type { OwnedObject } from '@/lib/kudo/inventory/owned-object';
import { stallOf } from '@/lib/kudo/plan/conditions';
import { namesCause } from '@/lib/kudo/runs/refusal-rules';
import { plainMessage } from '@/lib/kudo/view/instance-state';
import type { PhaseView, PlanView, StepView } from '@/lib/kudo/view/plan-view';
import { type WaitingLine, waitingLines } from '@/lib/kudo/view/waiting-lines';
import { StepProblem } from './step-problem';

const SHOWN = 6;

/**
 * What a running step waits for, a line per object. The step's message, which the controller writes, has it; until it does, the
 * objects of the step that are not healthy are listed.
 */
export function WaitingFor({ plan, phase, step }: { plan: PlanView; phase: PhaseView; step: StepView }) {
  const { namespace, row } = useInstanceView();
  const { data } = useOwnedObjects();
  const objects = data?.objects ?? [];
  const said = waitingLines(plainMessage(step.message));
  const all = said.length > 0 ? said : linesOf(objects, { plan: plan.name, phase: phase.name, step: step.name });
  // A pod that cannot start is explained below the objects, and not named twice.
  const hasTrouble = said.some(({ kind }) => kind === 'Pod') && said.some(({ kind }) => kind !== 'Pod');
  const lines = hasTrouble ? all.filter(({ kind }) => kind !== 'Pod') : all;
  // A pod that never becomes ready is no trouble in itself; the controller says when it takes too long.
  const isStuck = hasTrouble || namesCause(step.message) || (row !== undefined && stallOf(row.instance) !== undefined);
  if (lines.length === 0) return null;
  return (
    <div className="grid gap-1.5">
      <p className="text-ink-3">Waiting for</p>
      <ul className="grid gap-1">
        {lines.slice(0, SHOWN).map((line) => (
          <li key={`${line.kind} ${line.name} ${line.text}`} className="flex items-start gap-2">
            <span className={line.kind === 'Pod' ? 'text-wait' : 'text-run'}>
              <StatusIcon shape={line.kind === 'Pod' ? 'hourglass' : 'arc'} />
            </span>
            <span className="flex flex-wrap gap-x-1.5">
              <ObjectName line={line} objects={objects} namespace={namespace} />
              <span>{line.text}</span>
            </span>
          </li>
        ))}
        {lines.length > SHOWN && <li>and {lines.length - SHOWN} more</li>}
      </ul>
      {isStuck && <StepProblem plan={plan} phase={phase} step={step} />}
    </div>
  );
}

function ObjectName({
  line,
  objects,
  namespace,
}: {
  line: WaitingLine;
  objects: readonly OwnedObject[];
  namespace: string;
}) {
  if (line.kind === '') return null;
  const object = objects.find(({ kind, name }) => kind === line.kind && name === line.name);
  const text = (
    <code className="text-ink">
      {line.kind} {line.name}
    </code>
  );
  if (object === undefined) return text;
  return (
    <Link href={objectHref(object, namespace, object.name)} className="link">
      {text}
    </Link>
  );
}

/** Objects that the step applied and that are not healthy, then the objects that they own. */
function linesOf(objects: readonly OwnedObject[], at: { plan: string; phase: string; step: string }): WaitingLine[] {
  const unhealthy = objects.filter(({ health }) => health.state !== 'healthy');
  const applied = unhealthy.filter(
    ({ place }) => place.plan === at.plan && place.phase === at.phase && place.step === at.step,
  );
  const uids = new Set(applied.map(({ uid }) => uid));
  const owned = unhealthy.filter(({ owner }) => owner !== undefined && uids.has(owner.uid));
  return [...applied, ...owned].map(({ kind, name, health }) => ({ kind, name, text: health.message || health.state }));
}
