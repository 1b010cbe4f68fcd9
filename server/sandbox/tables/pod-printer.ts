import { parseRfc3339 } from '@/lib/clock/rfc3339';
import { arrayAt, getAt, isJsonObject, type JsonObject, type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { age, nameOfObject, since, textOr } from './cells';
import { ageColumn, column, nameColumn, type Printer, type Row, wide } from './column';

const ENDED: { readonly [phase: string]: readonly JsonValue[] } = {
  Succeeded: [
    { type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' },
  ],
  Failed: [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }],
};

/** Pods as kubectl shows them (Kubernetes printers/internalversion printPod). */
export const podPrinter: Printer = {
  columns: [
    nameColumn,
    column('Ready'),
    column('Status'),
    column('Restarts'),
    ageColumn,
    wide('IP'),
    wide('Node'),
    wide('Nominated Node'),
    wide('Readiness Gates'),
  ],
  row: podRow,
};

interface Summary {
  reason: string;
  ready: number;
  restarts: number;
  lastRestartMs: number | undefined;
}

function podRow(pod: KubeObject, nowMs: number): Row {
  const total = arrayAt(pod, 'spec', 'containers').length + restartableInits(pod).size;
  const summary = summarize(pod);
  const restarts =
    summary.restarts > 0 && summary.lastRestartMs !== undefined
      ? `${summary.restarts} (${since(isoOf(pod, summary.lastRestartMs), nowMs)} ago)`
      : String(summary.restarts);
  const cells = [
    nameOfObject(pod),
    `${summary.ready}/${total}`,
    summary.reason,
    restarts,
    age(pod, nowMs),
    textOr(getAt(pod, 'status', 'podIPs', 0), textOr(pod, '<none>', 'status', 'podIP'), 'ip'),
    textOr(pod, '<none>', 'spec', 'nodeName'),
    textOr(pod, '<none>', 'status', 'nominatedNodeName'),
    readinessGates(pod),
  ];
  const conditions = ENDED[stringAt(pod, 'status', 'phase') ?? ''];
  return conditions === undefined ? { cells } : { cells, conditions };
}

/** The text of the restart that was found; times are compared as numbers and shown from their text. */
function isoOf(pod: KubeObject, ms: number): string | undefined {
  for (const status of [...statuses(pod, 'initContainerStatuses'), ...statuses(pod, 'containerStatuses')]) {
    const text = stringAt(status, 'lastState', 'terminated', 'finishedAt');
    if (text !== undefined && parseRfc3339(text) === ms) return text;
  }
  return undefined;
}

function summarize(pod: KubeObject): Summary {
  const phase = stringAt(pod, 'status', 'phase') ?? '';
  const summary: Summary = {
    reason: textOr(pod, phase, 'status', 'reason'),
    ready: 0,
    restarts: 0,
    lastRestartMs: undefined,
  };
  const gated = arrayAt(pod, 'status', 'conditions').find((each) => stringAt(each, 'type') === 'PodScheduled');
  if (stringAt(gated, 'reason') === 'SchedulingGated') summary.reason = 'SchedulingGated';
  if (!summarizeInits(pod, summary)) summarizeContainers(pod, summary);
  if (pod.metadata.deletionTimestamp !== undefined) {
    if (stringAt(pod, 'status', 'reason') === 'NodeLost') summary.reason = 'Unknown';
    else if (phase !== 'Succeeded' && phase !== 'Failed') summary.reason = 'Terminating';
  }
  return summary;
}

/** True while init containers are running: the others count only afterwards. */
function summarizeInits(pod: KubeObject, summary: Summary): boolean {
  const restartable = restartableInits(pod);
  for (const [index, status] of statuses(pod, 'initContainerStatuses').entries()) {
    countRestarts(status, summary);
    const state = stateOf(status);
    const isSidecar = restartable.has(stringAt(status, 'name') ?? '');
    if (state.terminated !== undefined && numberAt(state.terminated, 'exitCode') === 0) continue;
    if (isSidecar && status.started === true) {
      if (status.ready === true) summary.ready++;
      continue;
    }
    summary.reason = `Init:${initReason(pod, state, index)}`;
    return !isInitialized(pod);
  }
  return false;
}

function initReason(pod: KubeObject, { terminated, waiting }: State, index: number): string {
  if (terminated !== undefined) {
    const reason = stringAt(terminated, 'reason') ?? '';
    if (reason !== '') return reason;
    const signal = numberAt(terminated, 'signal') ?? 0;
    return signal !== 0 ? `Signal:${signal}` : `ExitCode:${numberAt(terminated, 'exitCode') ?? 0}`;
  }
  const reason = stringAt(waiting, 'reason') ?? '';
  if (reason !== '' && reason !== 'PodInitializing') return reason;
  return `${index}/${arrayAt(pod, 'spec', 'initContainers').length}`;
}

function summarizeContainers(pod: KubeObject, summary: Summary): void {
  let running = false;
  for (const status of statuses(pod, 'containerStatuses').reverse()) {
    countRestarts(status, summary);
    const { terminated, waiting, isRunning } = stateOf(status);
    const waitingReason = stringAt(waiting, 'reason') ?? '';
    if (waitingReason !== '') {
      summary.reason = waitingReason;
    } else if (terminated !== undefined) {
      const reason = stringAt(terminated, 'reason') ?? '';
      const signal = numberAt(terminated, 'signal') ?? 0;
      if (reason !== '') summary.reason = reason;
      else summary.reason = signal !== 0 ? `Signal:${signal}` : `ExitCode:${numberAt(terminated, 'exitCode') ?? 0}`;
    } else if (status.ready === true && isRunning) {
      running = true;
      summary.ready++;
    }
  }
  if (summary.reason !== 'Completed' || !running) return;
  summary.reason = hasCondition(pod, 'Ready') ? 'Running' : 'NotReady';
}

function isInitialized(pod: KubeObject): boolean {
  return hasCondition(pod, 'Initialized');
}

function hasCondition(pod: KubeObject, type: string): boolean {
  return arrayAt(pod, 'status', 'conditions').some(
    (each) => stringAt(each, 'type') === type && stringAt(each, 'status') === 'True',
  );
}

function readinessGates(pod: KubeObject): string {
  const gates = arrayAt(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return '<none>';
  return `${gates.filter((gate) => hasCondition(pod, stringAt(gate, 'conditionType') ?? '')).length}/${gates.length}`;
}

function restartableInits(pod: KubeObject): Set<string> {
  return new Set(
    arrayAt(pod, 'spec', 'initContainers')
      .filter((each) => stringAt(each, 'restartPolicy') === 'Always')
      .map((each) => stringAt(each, 'name') ?? ''),
  );
}

function statuses(pod: KubeObject, key: string): JsonObject[] {
  return arrayAt(pod, 'status', key).filter(isJsonObject);
}

interface State {
  readonly terminated: JsonValue | undefined;
  readonly waiting: JsonValue | undefined;
  readonly isRunning: boolean;
}

function stateOf(status: JsonObject): State {
  return {
    terminated: getAt(status, 'state', 'terminated') ?? undefined,
    waiting: getAt(status, 'state', 'waiting') ?? undefined,
    isRunning: isJsonObject(getAt(status, 'state', 'running')),
  };
}

function countRestarts(status: JsonObject, summary: Summary): void {
  summary.restarts += numberAt(status, 'restartCount') ?? 0;
  const finished = stringAt(status, 'lastState', 'terminated', 'finishedAt');
  const ms = finished === undefined ? undefined : parseRfc3339(finished);
  if (ms !== undefined && ms > (summary.lastRestartMs ?? 0)) summary.lastRestartMs = ms;
}
