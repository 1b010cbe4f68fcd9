import { messageOf } from '@/lib/errors/errors';
import { arrayAt, getAt, type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import { conditionByType } from '@/lib/kube/conditions';
import { kubeHealthOf } from '@/lib/kube/health/health';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { ExplainedPod } from '@/lib/kudo/view/step-explanation';
import type { Api } from '@/server/kube/api';
import { tailLog } from './tail-log';

/** How a pod is read. */
export interface PodReading {
  readonly signal?: AbortSignal | undefined;
  /** Lines of the log, from its end; 20 when absent. */
  readonly logLines?: number;
}

const LOG_LINES = 20;

/** A pod that is not healthy: which of its containers does not run, why, and the end of its log. */
export async function explainPod(api: Api, pod: KubeObject, reading: PodReading): Promise<ExplainedPod> {
  const { signal, logLines: lines = LOG_LINES } = reading;
  const status = troubledStatus(pod);
  const container = stringAt(status, 'name') ?? stringAt(arrayAt(pod.spec, 'containers')[0], 'name') ?? '';
  const base = { name: nameOf(pod), health: kubeHealthOf(pod), container, ...reasonOf(pod, status) };
  const explained = { ...base, image: imageOf(pod, container), exitCode: exitCodeOf(status) };
  // A container that never started has no log to read.
  if (!hasStarted(status)) return { ...explained, logLines: [], logProblem: undefined };
  try {
    const logLines = await tailLog(api, { pod, container, lines, signal });
    return { ...explained, logLines, logProblem: undefined };
  } catch (error) {
    return { ...explained, logLines: [], logProblem: messageOf(error) };
  }
}

/** Of the first container that failed, else of the first that waits, else of the first that is not ready. */
function troubledStatus(pod: KubeObject): JsonValue | undefined {
  const statuses = [...arrayAt(pod.status, 'initContainerStatuses'), ...arrayAt(pod.status, 'containerStatuses')];
  const failed = statuses.find((status) => (numberAt(status, 'state', 'terminated', 'exitCode') ?? 0) !== 0);
  const waiting = statuses.find((status) => stringAt(status, 'state', 'waiting', 'reason') !== undefined);
  return failed ?? waiting ?? statuses.find((status) => getAt(status, 'ready') === false) ?? statuses[0];
}

function hasStarted(status: JsonValue | undefined): boolean {
  return ['running', 'terminated'].some(
    (state) => getAt(status, 'state', state) !== undefined || getAt(status, 'lastState', state) !== undefined,
  );
}

/** Containers wait for these in every start. */
const ORDINARY_WAITS: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

function reasonOf(pod: KubeObject, status: JsonValue | undefined): Pick<ExplainedPod, 'reason' | 'message'> {
  const scheduled = conditionByType(pod, 'PodScheduled');
  if (scheduled?.status === 'False') {
    return { reason: scheduled.reason || 'Unschedulable', message: scheduled.message ?? '' };
  }
  const last = stringAt(status, 'lastState', 'terminated', 'reason');
  if (last === 'OOMKilled') return { reason: last, message: '' };
  for (const state of ['terminated', 'waiting']) {
    const reason = stringAt(status, 'state', state, 'reason');
    if (reason === undefined || ORDINARY_WAITS.has(reason)) continue;
    return { reason, message: stringAt(status, 'state', state, 'message') ?? '' };
  }
  return { reason: '', message: '' };
}

function exitCodeOf(status: JsonValue | undefined): number | undefined {
  const exitCode =
    numberAt(status, 'state', 'terminated', 'exitCode') ?? numberAt(status, 'lastState', 'terminated', 'exitCode');
  return exitCode === 0 ? undefined : exitCode;
}

function imageOf(pod: KubeObject, container: string): string {
  const all = [...arrayAt(pod.spec, 'initContainers'), ...arrayAt(pod.spec, 'containers')];
  return (
    stringAt(
      all.find((candidate) => stringAt(candidate, 'name') === container),
      'image',
    ) ?? ''
  );
}
