'use client';

import { useInstanceView } from '@/components/instance-view/instance-context';
import { StepClock } from '@/components/plans/plan-time';
import { ProblemPanel } from '@/components/plans/problem-panel';
import { stepDetails } from '@/components/plans/step-details';
import { useRunHistory } from '@/components/plans/use-run-history';
import { Button } from '@/components/ui/button';
import { KeyValues } from '@/components/ui/key-values';
import { StatusText } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { useExactTime } from '@/components/ui/use-time-zone';
import type { FailureExplanation } from '@/lib/kudo/runs/failure-explanation';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { plainMessage } from '@/lib/kudo/view/instance-state';
import { NOT_REACHED, spanText } from '@/lib/kudo/view/run-facts';
import type { RunRow } from '@/lib/kudo/view/run-row';
import type { StepLine } from '@/lib/kudo/view/run-tree-lines';
import { NO_EVIDENCE } from '@/lib/kudo/view/step-explanation';
import { SkipButton } from './skip-button';
import { useRunRecord } from './use-run-record';

/** A step of a run: its times, its message, what it waits for while it runs, and the objects that it touched. */
export function StepPanel({
  row,
  line,
  deleted,
  onObjects,
}: {
  row: RunRow;
  line: StepLine;
  deleted: boolean;
  onObjects: () => void;
}) {
  const { row: instance } = useInstanceView();
  const recorded = useRunRecord(row).record?.failure?.explanation;
  const { place } = recorded ?? {};
  const explained = place?.phase === line.phase && place.step === line.step ? recorded : undefined;
  const live = instance === undefined ? undefined : liveDetails(instance, { row, line, recorded: explained });
  const details =
    live ?? (explained === undefined ? undefined : <ProblemPanel explanation={explained} evidence={NO_EVIDENCE} />);
  // What a running step waits for is its message, a line per object.
  const message = details !== undefined && line.status === 'IN_PROGRESS' ? '' : plainMessage(line.message);
  const isNotReached = row.isOver && (line.status === 'PENDING' || line.status === 'NEVER_RUN');
  return (
    <section aria-label={`Step ${line.step}`} className="grid gap-3 p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 break-words font-semibold">
          <span className="font-normal text-ink-2">{line.phase} /</span> {line.step}
        </h2>
        <StatusText status={line.status} word={isNotReached ? NOT_REACHED : undefined} />
        {!row.isOver && !deleted && (
          <span className="ms-auto">
            <SkipButton row={row} line={line} />
          </span>
        )}
      </div>
      {message !== '' && (
        <p className={line.status === 'FATAL_ERROR' ? 'break-words text-fail' : 'break-words text-ink-2'}>{message}</p>
      )}
      {details}
      <KeyValues
        entries={[
          ['Started', line.startedAt === undefined ? undefined : <Moment key="started" at={line.startedAt} />],
          ['Finished', line.finishedAt === undefined ? undefined : <Moment key="finished" at={line.finishedAt} />],
          ['Duration', <StepDuration key="took" row={row} line={line} instance={instance} />],
          ['Attempts', line.attempts > 1 ? String(line.attempts) : undefined],
          ['Tasks', tasksOf(instance, row, line)],
        ]}
      />
      <TouchedObjects row={row} line={line} onObjects={onObjects} />
    </section>
  );
}

function Moment({ at }: { at: string }) {
  const exact = useExactTime();
  return (
    <>
      <TimeAgo at={at} /> <span className="text-ink-3">· {exact(at)}</span>
    </>
  );
}

function StepDuration({ row, line, instance }: { row: RunRow; line: StepLine; instance: InstanceRow | undefined }) {
  const runs = !row.isOver && line.seconds === undefined && line.startedAt !== undefined;
  const isWorking = line.status === 'IN_PROGRESS' || line.status === 'ERROR';
  if (runs && isWorking && instance !== undefined && line.startedAt !== undefined) {
    return <RunningClock instance={instance} plan={row.plan} line={line} at={line.startedAt} />;
  }
  const took = spanText(line.seconds);
  return took === '' ? <span className="text-ink-3">not known</span> : took;
}

function RunningClock({
  instance,
  plan,
  line,
  at,
}: {
  instance: InstanceRow;
  plan: string;
  line: StepLine;
  at: string;
}) {
  const history = useRunHistory(instance);
  return <StepClock history={history} place={{ plan, phase: line.phase, step: line.step }} at={at} />;
}

/** The first objects that the step touched, when the record of the run has them. */
function TouchedObjects({ row, line, onObjects }: { row: RunRow; line: StepLine; onObjects: () => void }) {
  const { record } = useRunRecord(row);
  const objects = (record?.tasks ?? [])
    .filter(({ phase, step }) => phase === line.phase && step === line.step)
    .flatMap((task) => task.objects);
  if (objects.length === 0) return null;
  const names = objects.slice(0, MOST_OBJECTS);
  return (
    <div className="grid gap-1">
      <h3 className="text-ink-3">Objects</h3>
      <ul className="grid gap-0.5">
        {names.map(({ kind, name, change }) => (
          <li key={`${kind} ${name} ${change}`}>
            <code className="break-all">
              {kind} {name}
            </code>{' '}
            <span className="text-ink-2 text-xs">{change}</span>
          </li>
        ))}
      </ul>
      <span>
        <Button size="small" variant="quiet" onClick={onObjects}>
          {objects.length > names.length ? `All ${objects.length} objects` : 'Show the objects'}
        </Button>
      </span>
    </div>
  );
}

const MOST_OBJECTS = 6;

/** What the page of the Instance shows below such a step, while the Instance tells of this run. */
function liveDetails(
  instance: InstanceRow,
  { row, line, recorded }: { row: RunRow; line: StepLine; recorded: FailureExplanation | undefined },
) {
  const { phase, step } = line;
  const { uid } = row.run.spec ?? {};
  const plan = [instance.active, instance.last].find((each) => each?.name === row.plan && each.uid === uid);
  const shownPhase = plan?.phases.find(({ name }) => name === phase);
  const shownStep = shownPhase?.steps.find(({ name }) => name === step);
  if (plan === undefined || shownPhase === undefined || shownStep === undefined) return undefined;
  const hasDetails = ['IN_PROGRESS', 'ERROR', 'FATAL_ERROR'].includes(shownStep.status);
  return hasDetails ? stepDetails(plan, recorded)(shownPhase, shownStep) : undefined;
}

/** The names of its tasks, as the version of the run says. */
function tasksOf(instance: InstanceRow | undefined, { plan, run }: RunRow, line: StepLine): string | undefined {
  const version = instance?.operatorVersionObject;
  if (version === undefined || version.metadata.name !== run.status?.operatorVersion) return undefined;
  const phase = version.spec?.plans?.[plan]?.phases?.find(({ name }) => name === line.phase);
  const tasks = phase?.steps?.find(({ name }) => name === line.step)?.tasks ?? [];
  return tasks.length === 0 ? undefined : tasks.join(', ');
}
