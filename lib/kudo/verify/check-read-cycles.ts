import type { ReadObject } from '@/lib/kudo/live-values/live-values';
import { templatesOfTask } from '@/lib/kudo/rendering/task-templates';
import type { Plan, Task } from '@/lib/kudo/types';
import type { Report } from './report';

/**
 * Names tasks of a plan that wait for each other for ever: one reads an object that another one applies, which itself begins only
 * after the first is done, because it stands in a later step or phase or reads an object of the first. Objects are the same when kind
 * and name are written alike in `reads` and in the template; a read that is `optional` waits for nothing.
 */
export function checkReadCycles(report: Report): void {
  const { plans, tasks } = report.pkg.operator;
  for (const [name, plan] of Object.entries(plans)) {
    const places = placesOf(plan, tasks);
    const cycle = findCycle(places, (place) => waitsOf(report, place, places));
    const [first] = cycle ?? [];
    if (cycle === undefined || first === undefined) continue;
    const words = cycle.map(({ from, why }) => `task ${from.task.name} ${why}`).join('; ');
    const index = tasks.indexOf(first.from.task);
    report.error(report.operatorLine('tasks', index, 'reads'), `plan "${name}" waits for itself: ${words}`);
  }
}

/** A task at one place of a plan. */
interface TaskPlace {
  readonly task: Task;
  readonly phase: number;
  readonly step: number;
  readonly isPhaseSerial: boolean;
  readonly isPlanSerial: boolean;
}

interface WaitEdge {
  readonly from: TaskPlace;
  readonly to: TaskPlace;
  /** The rest of a sentence whose subject is the task. */
  readonly why: string;
}

function placesOf(plan: Plan, tasks: readonly Task[]): TaskPlace[] {
  return (plan.phases ?? []).flatMap((phase, phaseAt) =>
    (phase.steps ?? []).flatMap((step, stepAt) =>
      (step.tasks ?? []).flatMap((name) => {
        const task = tasks.find((candidate) => candidate.name === name);
        if (task === undefined) return [];
        const order = { isPhaseSerial: phase.strategy === 'serial', isPlanSerial: plan.strategy === 'serial' };
        return [{ task, phase: phaseAt, step: stepAt, ...order }];
      }),
    ),
  );
}

function waitsOf(report: Report, from: TaskPlace, all: readonly TaskPlace[]): WaitEdge[] {
  const reads = report.pkg.operator.liveValues?.[from.task.name]?.reads ?? [];
  const read = reads
    .filter(({ optional }) => optional !== true)
    .flatMap((each) =>
      all
        .filter(({ task }) => applies(report, task, each))
        .map((to) => ({ from, to, why: `reads ${each.kind} ${each.name}, which task ${to.task.name} applies` })),
    );
  const order = all
    .filter((to) => isBefore(to, from))
    .map((to) => ({ from, to, why: `begins after task ${to.task.name}` }));
  return [...read, ...order];
}

/** True when a step of `one` is over before a step of `other` begins. */
function isBefore(one: TaskPlace, other: TaskPlace): boolean {
  if (one.phase !== other.phase) return one.isPlanSerial && one.phase < other.phase;
  return one.isPhaseSerial && one.step < other.step;
}

function applies(report: Report, task: Task, { kind, name, namespace }: ReadObject): boolean {
  if (namespace !== undefined || (task.kind !== 'Apply' && task.kind !== 'Toggle')) return false;
  return templatesOfTask(task).some((key) =>
    objectsIn(report.pkg.templates.get(key) ?? '').some(
      (object) => object.kind === kind && normal(object.name) === normal(name),
    ),
  );
}

/** Kind and name of the documents of a template, as they are written. */
function objectsIn(text: string): { kind: string; name: string }[] {
  return text.split(/^---/m).flatMap((document) => {
    const kind = /^kind:[ \t]*(\S+)/m.exec(document)?.[1];
    const name =
      /^metadata:[^\n]*\n(?:[ \t]+[^\n]*\n)*?[ \t]+name:[ \t]*([^\n]+)/m.exec(document)?.[1] ??
      /^metadata:[ \t]*\{[^}\n]*?name:[ \t]*([^,}\n]+)/m.exec(document)?.[1];
    return kind === undefined || name === undefined ? [] : [{ kind, name }];
  });
}

function normal(name: string): string {
  return name.replace(/["'\s]/g, '');
}

/** The first cycle that goes through a read, as its edges; undefined when there is none. */
function findCycle(
  places: readonly TaskPlace[],
  edgesOf: (place: TaskPlace) => readonly WaitEdge[],
): readonly WaitEdge[] | undefined {
  const edges = new Map(places.map((place) => [keyOf(place), edgesOf(place)]));
  const done = new Set<string>();
  const visit = (place: TaskPlace, path: readonly WaitEdge[]): readonly WaitEdge[] | undefined => {
    const key = keyOf(place);
    const start = path.findIndex(({ from }) => keyOf(from) === key);
    if (start >= 0) return path.slice(start);
    if (done.has(key)) return undefined;
    for (const edge of edges.get(key) ?? []) {
      const found = visit(edge.to, [...path, edge]);
      if (found !== undefined) return found;
    }
    done.add(key);
    return undefined;
  };
  for (const place of places) {
    const found = visit(place, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

function keyOf({ phase, step, task }: TaskPlace): string {
  return `${phase}/${step}/${task.name}`;
}
