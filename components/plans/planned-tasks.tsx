import type { PlannedTask, PlannedTouch } from '@/lib/kudo/view/plan-preview';

const words: { readonly [change in PlannedTouch['change']]: string } = {
  create: 'created',
  change: 'changed',
  unchanged: 'stays as it is',
  delete: 'deleted',
  absent: 'does not exist',
  unknown: 'known when the task runs',
};

/** Every task of a plan, with what it does to each of its objects; closed until a person asks for it. */
export function PlannedTasks({ tasks }: { tasks: readonly PlannedTask[] }) {
  if (tasks.length === 0) return null;
  return (
    <details>
      <summary className="text-ink-2">Every object by step</summary>
      <ol className="mt-1 grid gap-2">
        {tasks.map(({ phase, step, task, kind, objects }) => (
          <li key={`${phase}/${step}/${task}`}>
            <p>
              {phase} / {step}: <code>{task}</code> <span className="text-ink-3">{kind}</span>
            </p>
            <ul className="ps-5 text-ink-2">
              {objects.map((object) => (
                <li key={`${object.kind}/${object.name}`} className="break-all">
                  {object.kind} {object.name}: {words[object.change]}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </details>
  );
}
