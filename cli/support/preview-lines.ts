import type { PlanPreview } from '@/lib/kudo/view/plan-preview';
import { groupFates, type VolumeFate } from '@/lib/kudo/view/volume-fate';

const WORDS = {
  create: 'created',
  change: 'changed',
  replace: 'deleted and created again',
  delete: 'deleted',
} as const;

/** What a plan would do, for a terminal: why it cannot start, objects, pods that restart, volumes, and what could not be found out. */
export function previewLines(preview: PlanPreview): string[] {
  const { plan, outcome, message = '', confirmation, objects, unchanged, restarts, volumes } = preview;
  if (outcome === 'stores') return ['No plan starts.'];
  const { going, growing } = groupFates(volumes);
  return [
    ...(outcome === 'refused' ? [`The plan cannot start now: ${message}`] : []),
    ...(plan === undefined
      ? []
      : [`Plan ${plan}${confirmation === undefined ? '' : ', which deletes or replaces data'}:`]),
    ...objects.map(
      ({ kind, name, change, place }) => `  ${place.replace(' / ', '/')}: ${kind} ${name} ${WORDS[change]}`,
    ),
    ...(unchanged === 0
      ? []
      : [`  ${unchanged} ${unchanged === 1 ? 'object stays as it is' : 'objects stay as they are'}`]),
    ...section('Pods:', restarts),
    ...section('Volumes that are deleted:', going.map(volumeLine)),
    ...section('Volumes that grow:', growing.map(volumeLine)),
    ...section('Not known:', [...preview.unchecked, ...preview.problems]),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function volumeLine({ name, size, because }: VolumeFate): string {
  return `${name}${size === '' ? '' : `, ${size}`}: ${because}`;
}
