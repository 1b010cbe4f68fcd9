import { Card } from '@/components/ui/card';
import { CodeBlock } from '@/components/ui/code';
import type { PreviewObject, PreviewTask } from '@/lib/kudo/package/catalogue';

/** The objects of a plan that was rendered and not run, a card for each step. */
export function PreviewSteps({ tasks }: { tasks: readonly PreviewTask[] }) {
  return (
    <>
      {stepsOf(tasks).map(({ phase, step, tasks: own }) => (
        <Card
          key={`${phase}/${step}`}
          title={step}
          note={`phase ${phase}${isNamedAlike(step, own) ? `, ${taskWords(own[0])}` : ''}`}
          action={countObjects(own)}
        >
          <div className="divide-y divide-line">
            {own.map((task) => (
              <TaskPreview key={task.task} task={task} isNamed={!isNamedAlike(step, own)} />
            ))}
          </div>
        </Card>
      ))}
    </>
  );
}

/** An object that is written, in a row of a card. */
export function PreviewRow({ kind, name, note }: { kind: string; name: string; note: string }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-2 px-4 py-2">
      <span className="text-ink-2">{kind}</span>
      <span className="font-semibold">{name}</span>
      <span className="ms-auto text-ink-3">{note}</span>
    </li>
  );
}

function TaskPreview({ task, isNamed }: { task: PreviewTask; isNamed: boolean }) {
  return (
    <div className="px-4 py-2.5">
      {isNamed && (
        <p className="mb-1 text-ink-2">
          {task.task} <span className="text-ink-3">{taskWords(task)}</span>
        </p>
      )}
      {task.problem !== undefined && <p className="text-fail">{task.problem}</p>}
      <ul className="grid gap-1">
        {task.objects.map((object) => (
          <ObjectPreview key={`${object.kind} ${object.namespace} ${object.name}`} object={object} />
        ))}
      </ul>
    </div>
  );
}

function ObjectPreview({ object }: { object: PreviewObject }) {
  return (
    <li>
      <details className="rounded-md border">
        <summary className="px-3 py-1.5 hover:bg-sunken">
          <span className="text-ink-2">{object.kind}</span> <span className="font-semibold">{object.name}</span>{' '}
          <span className="text-ink-3">{object.namespace === '' ? 'cluster-scoped' : ''}</span>
        </summary>
        <CodeBlock text={object.yaml} label={`${object.kind} ${object.name}`} className="max-h-96 border-t bg-ground" />
      </details>
    </li>
  );
}

/** The kind of a task, and for the kinds that few people know what it does. */
function taskWords(task: PreviewTask | undefined): string {
  const { kind = '', objects = [] } = task ?? {};
  switch (kind) {
    case 'Apply':
      return objects.length === 0 ? 'Apply: no objects' : 'Apply';
    case 'Toggle':
      return 'Toggle: applies or deletes, depending on its parameter';
    case 'Pipe':
      return 'Pipe: runs a pod and copies its files';
    case 'KudoOperator':
      return 'KudoOperator: installs another operator';
    case 'Dummy':
      return 'Dummy: changes nothing';
    default:
      return kind;
  }
}

/** True for a step with one task of the same name: the title of the step is enough. */
function isNamedAlike(step: string, tasks: readonly PreviewTask[]): boolean {
  return tasks.length === 1 && tasks[0]?.task === step;
}

function countObjects(tasks: readonly PreviewTask[]): string {
  const count = tasks.reduce((sum, { objects }) => sum + objects.length, 0);
  return `${count} ${count === 1 ? 'object' : 'objects'}`;
}

interface StepTasks {
  readonly phase: string;
  readonly step: string;
  readonly tasks: PreviewTask[];
}

function stepsOf(tasks: readonly PreviewTask[]): StepTasks[] {
  const steps: StepTasks[] = [];
  for (const task of tasks) {
    const last = steps.at(-1);
    if (last?.phase === task.phase && last.step === task.step) last.tasks.push(task);
    else steps.push({ phase: task.phase, step: task.step, tasks: [task] });
  }
  return steps;
}
