import { structuredPatch } from 'diff';
import type { PlannedTask, PlannedTouch, PlanObjectChange, PlanPreview } from '@/lib/kudo/view/plan-preview';
import { groupFates, type VolumeFate } from '@/lib/kudo/view/volume-fate';

const WORDS: { readonly [change in PlannedTouch['change']]: string } = {
  create: 'is created',
  change: 'changes',
  unchanged: 'stays as it is',
  delete: 'is deleted',
  absent: 'does not exist, so nothing is deleted',
  unknown: 'is written by the task; its content is known when the task runs',
};

/** Lines around a difference. */
const CONTEXT = 2;

/**
 * What a plan would do, for a terminal: why it cannot start, each task with its objects, the differences of those that change, pods that
 * restart, volumes, and what could not be found out.
 */
export function previewLines(preview: PlanPreview): string[] {
  const { plan, outcome, message = '', confirmation, tasks, objects, restarts, volumes } = preview;
  if (outcome === 'stores') return ['No plan starts.'];
  const { going, growing } = groupFates(volumes);
  const warning = confirmation === undefined ? '' : ', which deletes or replaces data';
  return [
    ...(outcome === 'refused' ? [`The plan cannot start now: ${message}`] : []),
    ...(plan === undefined ? [] : [`Plan ${plan}${warning}:`]),
    ...tasks.flatMap(taskLines),
    ...section('Differences:', objects.flatMap(differenceLines)),
    ...section('Pods:', restarts),
    ...section('Volumes that are deleted:', going.map(volumeLine)),
    ...section('Volumes that grow:', growing.map(volumeLine)),
    ...section('Problems:', preview.problems),
    ...section('Not checked:', preview.unchecked),
  ];
}

function taskLines({ phase, step, task, kind, objects }: PlannedTask): string[] {
  const lines = objects.map((object) => `    ${object.kind} ${object.name} ${WORDS[object.change]}`);
  return [`  ${phase}/${step}, task ${task} (${kind})`, ...lines];
}

/** Of an object that changes: the lines that differ, with some around them. */
export function differenceLines({
  kind,
  name,
  before,
  after,
}: Pick<PlanObjectChange, 'kind' | 'name' | 'before' | 'after'>): string[] {
  if (before === '' || after === '') return [];
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: CONTEXT });
  return [
    `${kind} ${name}`,
    ...hunks.flatMap(({ lines }, index) => [...(index === 0 ? [] : ['  …']), ...lines.map((line) => `  ${line}`)]),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function volumeLine({ name, size, because }: VolumeFate): string {
  return `${name}${size === '' ? '' : `, ${size}`}: ${because}`;
}
