import { ChevronRight } from 'lucide-react';
import { Card } from '@/components/ui/card';
import { Tag } from '@/components/ui/tag';
import { planTitle } from '@/lib/kudo/names';
import { type PlanMetadata, planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import type { OperatorVersion, Phase, Plan, Step, Task } from '@/lib/kudo/types';

/** The plans of a version, drawn: phases from left to right, their steps below one another, the tasks in each. */
export function PlanDrawings({ version }: { version: OperatorVersion }) {
  const plans = Object.entries(version.spec?.plans ?? {});
  const taskByName = new Map((version.spec?.tasks ?? []).map((task) => [task.name, task]));
  return (
    <div className="grid items-start gap-4 md:grid-cols-2">
      {plans.map(([name, plan]) => (
        <PlanDrawing
          key={name}
          name={name}
          plan={plan}
          taskByName={taskByName}
          metadata={planMetadataOf(version, name)}
        />
      ))}
    </div>
  );
}

function PlanDrawing({
  name,
  plan,
  taskByName,
  metadata,
}: {
  name: string;
  plan: Plan;
  taskByName: ReadonlyMap<string, Task>;
  metadata: PlanMetadata;
}) {
  const phases = plan.phases ?? [];
  const isSerial = plan.strategy === 'serial';
  const title = metadata.displayName ?? planTitle(name);
  return (
    <Card
      className={phases.length > 2 ? 'md:col-span-2' : ''}
      title={title}
      note={title === name ? undefined : <code>{name}</code>}
      action={phases.length > 1 ? (isSerial ? 'serial phases' : 'parallel phases') : undefined}
    >
      {(metadata.description !== undefined || metadata.destructive === true) && (
        <p className="flex flex-wrap items-baseline gap-x-2 px-4 pt-3 text-ink-2">
          {metadata.destructive === true && <Tag tone="fail">destructive</Tag>}
          {metadata.description}
        </p>
      )}
      <ol className="flex flex-wrap gap-x-1 gap-y-3 p-4 max-sm:flex-col max-sm:gap-1">
        {phases.map((phase, index) => (
          <li key={phase.name} className="flex min-w-0 items-stretch gap-1 max-sm:flex-col">
            {index > 0 && (
              <span className="grid w-5 shrink-0 place-items-center self-center text-ink-3" aria-hidden="true">
                {isSerial ? <ChevronRight size={16} className="max-sm:rotate-90" /> : '+'}
              </span>
            )}
            <PhaseDrawing plan={name} phase={phase} taskByName={taskByName} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function PhaseDrawing({
  plan,
  phase,
  taskByName,
}: {
  plan: string;
  phase: Phase;
  taskByName: ReadonlyMap<string, Task>;
}) {
  const steps = phase.steps ?? [];
  const isSerial = phase.strategy === 'serial';
  return (
    <div data-plan={plan} data-phase={phase.name} className="min-w-40 rounded-md border bg-ground">
      <h3 className="flex items-baseline gap-2 border-b px-3 py-1.5 font-medium">
        {phase.name}
        {steps.length > 1 && (
          <span className="ms-auto font-normal text-2xs text-ink-3">{isSerial ? 'serial' : 'parallel'}</span>
        )}
      </h3>
      <ol className="grid gap-1.5 p-2">
        {steps.map((step) => (
          <StepDrawing key={step.name} plan={plan} phase={phase.name} step={step} taskByName={taskByName} />
        ))}
      </ol>
    </div>
  );
}

function StepDrawing({
  plan,
  phase,
  step,
  taskByName,
}: {
  plan: string;
  phase: string;
  step: Step;
  taskByName: ReadonlyMap<string, Task>;
}) {
  return (
    <li
      data-plan={plan}
      data-phase={phase}
      data-step={step.name}
      className="rounded-sm border bg-surface px-2.5 py-1.5"
    >
      <div className="font-medium">{step.name}</div>
      <ul className="mt-1 flex flex-wrap gap-1">
        {(step.tasks ?? []).map((name) => (
          <li key={name}>
            <Tag>
              <span className="text-ink-3">{taskByName.get(name)?.kind ?? '?'}</span> {name}
            </Tag>
          </li>
        ))}
        {(step.tasks ?? []).length === 0 && <li className="text-ink-3 text-xs">no tasks</li>}
      </ul>
    </li>
  );
}
