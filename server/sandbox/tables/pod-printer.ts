import { parseRfc3339 } from '@/lib/clock/rfc3339';
import { arrayAt, getAt, isJsonObject, type JsonObject, numberAt, stringAt } from '@/lib/json/json';
import { hasCondition } from '@/lib/kube/conditions';
import type { KubeObject } from '@/lib/kube/object';
import { AGE, NAME, type Printer, printer } from './column';
import { humanDuration } from './human-duration';

const columns = printer(
  NAME,
  ['Ready', (pod) => `${summarize(pod).ready}/${arrayAt(pod, 'spec', 'containers').length + sidecars(pod).length}`],
  ['Status', status],
  ['Restarts', restarts],
  AGE,
  '-IP=status.podIP|<none>',
  '-Node=spec.nodeName|<none>',
  '-Nominated Node=status.nominatedNodeName|<none>',
  ['-Readiness Gates', readinessGates],
);

const ENDED: { readonly [phase: string]: string } = {
  Succeeded: 'The pod has completed successfully.',
  Failed: 'The pod failed.',
};

/** Pods as kubectl shows them (Kubernetes printers/internalversion printPod). */
export const podPrinter: Printer = {
  columns: columns.columns,
  row(pod, nowMs) {
    const row = columns.row(pod, nowMs);
    const reason = stringAt(pod, 'status', 'phase') ?? '';
    const message = ENDED[reason];
    return message === undefined
      ? row
      : { ...row, conditions: [{ type: 'Completed', status: 'True', reason, message }] };
  },
};

/** Why a pod is where it is, by its containers, and how many of them are ready. */
interface Summary {
  reason: string;
  ready: number;
}

function status(pod: KubeObject): string {
  const phase = stringAt(pod, 'status', 'phase') ?? '';
  const isDeleted = pod.metadata.deletionTimestamp !== undefined && phase !== 'Succeeded' && phase !== 'Failed';
  return isDeleted ? 'Terminating' : summarize(pod).reason;
}

function restarts(pod: KubeObject, nowMs: number): string {
  const counted = [...statuses(pod, 'initContainerStatuses'), ...statuses(pod, 'containerStatuses')];
  const number = counted.reduce((sum, each) => sum + (numberAt(each, 'restartCount') ?? 0), 0);
  const last = counted.map((each) => parseRfc3339(stringAt(each, 'lastState', 'terminated', 'finishedAt') ?? '') ?? 0);
  const lastMs = Math.max(0, ...last);
  return number > 0 && lastMs > 0 ? `${number} (${humanDuration(nowMs - lastMs)} ago)` : String(number);
}

function summarize(pod: KubeObject): Summary {
  const reason = stringAt(pod, 'status', 'reason') || stringAt(pod, 'status', 'phase') || '';
  const summary = { reason, ready: 0 };
  if (arrayAt(pod, 'spec', 'schedulingGates').length > 0) summary.reason = 'SchedulingGated';
  if (!summarizeInits(pod, summary)) summarizeContainers(pod, summary);
  return summary;
}

/** True while init containers are running: the others count only afterwards. */
function summarizeInits(pod: KubeObject, summary: Summary): boolean {
  const restartable = sidecars(pod);
  for (const [index, each] of statuses(pod, 'initContainerStatuses').entries()) {
    if (numberAt(each, 'state', 'terminated', 'exitCode') === 0) continue;
    if (each.started === true && restartable.includes(stringAt(each, 'name'))) {
      if (each.ready === true) summary.ready++;
      continue;
    }
    const waiting = stringAt(each, 'state', 'waiting', 'reason') ?? '';
    const reason = waiting === 'PodInitializing' ? '' : waiting;
    const progress = `${index}/${arrayAt(pod, 'spec', 'initContainers').length}`;
    summary.reason = `Init:${endOf(each) ?? (reason || progress)}`;
    return !hasCondition(pod, 'Initialized');
  }
  return false;
}

function summarizeContainers(pod: KubeObject, summary: Summary): void {
  let running = false;
  for (const each of statuses(pod, 'containerStatuses').reverse()) {
    const reason = stringAt(each, 'state', 'waiting', 'reason') || endOf(each);
    if (reason !== undefined) {
      summary.reason = reason;
    } else if (each.ready === true && isJsonObject(getAt(each, 'state', 'running'))) {
      running = true;
      summary.ready++;
    }
  }
  if (summary.reason !== 'Completed' || !running) return;
  summary.reason = hasCondition(pod, 'Ready') ? 'Running' : 'NotReady';
}

/** How a container ended, undefined while it has not. */
function endOf(container: JsonObject): string | undefined {
  const end = getAt(container, 'state', 'terminated');
  if (!isJsonObject(end)) return undefined;
  const signal = numberAt(end, 'signal') ?? 0;
  return stringAt(end, 'reason') || (signal !== 0 ? `Signal:${signal}` : `ExitCode:${numberAt(end, 'exitCode') ?? 0}`);
}

function readinessGates(pod: KubeObject): string {
  const gates = arrayAt(pod, 'spec', 'readinessGates').map((gate) => stringAt(gate, 'conditionType') ?? '');
  if (gates.length === 0) return '<none>';
  return `${gates.filter((type) => hasCondition(pod, type)).length}/${gates.length}`;
}

/** The names of init containers that run on beside the others. */
function sidecars(pod: KubeObject): (string | undefined)[] {
  return arrayAt(pod, 'spec', 'initContainers')
    .filter((each) => stringAt(each, 'restartPolicy') === 'Always')
    .map((each) => stringAt(each, 'name'));
}

function statuses(pod: KubeObject, key: string): JsonObject[] {
  return arrayAt(pod, 'status', key).filter(isJsonObject);
}
