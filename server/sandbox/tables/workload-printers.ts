import { parseRfc3339 } from '@/lib/clock/rfc3339';
import { arrayAt, getAt, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { age, containers, count, labelsText, nameOfObject, selectorText, since, textOr } from './cells';
import { ageColumn, column, nameColumn, type Printer, printer, wide } from './column';
import { humanDuration } from './human-duration';

const TEMPLATE = ['spec', 'template', 'spec'] as const;
const wideColumns = [wide('Containers'), wide('Images'), wide('Selector')];

/** Workloads as kubectl shows them (Kubernetes printers/internalversion), by `group/resource`. */
export const workloadPrinters: { readonly [resource: string]: Printer } = {
  'apps/deployments': printer(
    [nameColumn, column('Ready'), column('Up-to-date'), column('Available'), ageColumn, ...wideColumns],
    (object, nowMs) => [
      nameOfObject(object),
      `${count(object, 'status', 'readyReplicas')}/${replicas(object)}`,
      count(object, 'status', 'updatedReplicas'),
      count(object, 'status', 'availableReplicas'),
      age(object, nowMs),
      ...containers(object, ...TEMPLATE),
      selectorText(getAt(object, 'spec', 'selector')),
    ],
  ),
  'apps/replicasets': replicaPrinter((set) => selectorText(getAt(set, 'spec', 'selector'))),
  'apps/statefulsets': printer(
    [nameColumn, column('Ready'), ageColumn, wide('Containers'), wide('Images')],
    (object, nowMs) => [
      nameOfObject(object),
      `${count(object, 'status', 'readyReplicas')}/${replicas(object)}`,
      age(object, nowMs),
      ...containers(object, ...TEMPLATE),
    ],
  ),
  'apps/daemonsets': printer(
    [
      nameColumn,
      column('Desired', 'integer'),
      column('Current', 'integer'),
      column('Ready', 'integer'),
      column('Up-to-date', 'integer'),
      column('Available', 'integer'),
      column('Node Selector'),
      ageColumn,
      ...wideColumns,
    ],
    (object, nowMs) => [
      nameOfObject(object),
      count(object, 'status', 'desiredNumberScheduled'),
      count(object, 'status', 'currentNumberScheduled'),
      count(object, 'status', 'numberReady'),
      count(object, 'status', 'updatedNumberScheduled'),
      count(object, 'status', 'numberAvailable'),
      labelsText(getAt(object, ...TEMPLATE, 'nodeSelector')),
      age(object, nowMs),
      ...containers(object, ...TEMPLATE),
      selectorText(getAt(object, 'spec', 'selector')),
    ],
  ),
  'batch/jobs': printer(
    [nameColumn, column('Status'), column('Completions'), column('Duration'), ageColumn, ...wideColumns],
    (object, nowMs) => [
      nameOfObject(object),
      jobStatus(object),
      completions(object),
      duration(object, nowMs),
      age(object, nowMs),
      ...containers(object, ...TEMPLATE),
      selectorText(getAt(object, 'spec', 'selector')),
    ],
  ),
  'batch/cronjobs': printer(
    [
      nameColumn,
      column('Schedule'),
      column('Timezone'),
      column('Suspend', 'boolean'),
      column('Active', 'integer'),
      column('Last Schedule'),
      ageColumn,
      ...wideColumns,
    ],
    (object, nowMs) => [
      nameOfObject(object),
      stringAt(object, 'spec', 'schedule') ?? '',
      textOr(object, '<none>', 'spec', 'timeZone'),
      getAt(object, 'spec', 'suspend') === true ? 'True' : 'False',
      arrayAt(object, 'status', 'active').length,
      lastSchedule(object, nowMs),
      age(object, nowMs),
      ...containers(object, 'spec', 'jobTemplate', ...TEMPLATE),
      selectorText(getAt(object, 'spec', 'jobTemplate', 'spec', 'selector')),
    ],
  ),
  'apps/controllerrevisions': printer(
    [nameColumn, column('Controller'), column('Revision'), ageColumn],
    (object, nowMs) => [
      nameOfObject(object),
      controllerText(object),
      numberAt(object, 'revision') ?? 0,
      age(object, nowMs),
    ],
  ),
};

function replicas(object: KubeObject): number {
  return numberAt(object, 'spec', 'replicas') ?? 0;
}

function replicaPrinter(selector: (object: KubeObject) => string): Printer {
  const counts = [column('Desired', 'integer'), column('Current', 'integer'), column('Ready', 'integer')];
  return printer([nameColumn, ...counts, ageColumn, ...wideColumns], (object, nowMs) => [
    ...replicaCells(object),
    age(object, nowMs),
    ...containers(object, ...TEMPLATE),
    selector(object),
  ]);
}

function replicaCells(object: KubeObject): [string, number, number, number] {
  return [
    nameOfObject(object),
    replicas(object),
    count(object, 'status', 'replicas'),
    count(object, 'status', 'readyReplicas'),
  ];
}

function hasCondition(object: KubeObject, type: string): boolean {
  return arrayAt(object, 'status', 'conditions').some(
    (each) => stringAt(each, 'type') === type && stringAt(each, 'status') === 'True',
  );
}

function jobStatus(job: KubeObject): string {
  if (hasCondition(job, 'Complete')) return 'Complete';
  if (hasCondition(job, 'Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (hasCondition(job, 'Suspended')) return 'Suspended';
  if (hasCondition(job, 'FailureTarget')) return 'FailureTarget';
  if (hasCondition(job, 'SuccessCriteriaMet')) return 'SuccessCriteriaMet';
  return 'Running';
}

function completions(job: KubeObject): string {
  const succeeded = count(job, 'status', 'succeeded');
  const wanted = numberAt(job, 'spec', 'completions');
  if (wanted !== undefined) return `${succeeded}/${wanted}`;
  const parallelism = numberAt(job, 'spec', 'parallelism') ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function duration(job: KubeObject, nowMs: number): string {
  const start = parseRfc3339(stringAt(job, 'status', 'startTime') ?? '');
  if (start === undefined) return '';
  const end = parseRfc3339(stringAt(job, 'status', 'completionTime') ?? '');
  return humanDuration((end ?? nowMs) - start);
}

function lastSchedule(cron: KubeObject, nowMs: number): string {
  const last = stringAt(cron, 'status', 'lastScheduleTime');
  return last === undefined ? '<none>' : since(last, nowMs);
}

function controllerText(object: KubeObject): string {
  const owner = object.metadata.ownerReferences?.find((each) => each.controller === true);
  if (owner === undefined) return '<none>';
  const group = owner.apiVersion.includes('/') ? `.${owner.apiVersion.split('/')[0]}` : '';
  return `${owner.kind.toLowerCase()}${group}/${owner.name}`;
}
