import { arrayAt, getAt, type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { StatusKey } from '@/lib/kudo/view/status-words';
import { explainExitCode } from './exit-code';
import { type ProbeWords, probesOf } from './probe-words';

/** `sidecar`: an init container that stays. `ephemeral`: added to debug. */
export type ContainerRole = 'main' | 'sidecar' | 'init' | 'ephemeral';

/** One run of a container that has ended. */
export interface EndedRun {
  readonly exitCode: number;
  readonly reason: string;
  readonly message: string;
  /** What the exit code means. */
  readonly meaning: string;
  readonly startedAt: string | undefined;
  readonly finishedAt: string | undefined;
}

/** CPU and memory as the pod says them; absent: not said. */
export interface ResourceAmounts {
  readonly cpu: string | undefined;
  readonly memory: string | undefined;
}

/** A container with what its pod asks for, and how it is. */
export interface PodContainer {
  readonly name: string;
  readonly role: ContainerRole;
  readonly image: string;
  readonly status: StatusKey;
  /** Running, CrashLoopBackOff, Completed … */
  readonly word: string;
  /** More about the state, often empty. */
  readonly message: string;
  readonly since: string | undefined;
  readonly isRunning: boolean;
  readonly restarts: number;
  /** How it ended, when it does not run; else how its run before this one did. */
  readonly lastEnd: EndedRun | undefined;
  /** Its log before the last restart exists. */
  readonly hasPreviousLog: boolean;
  readonly probes: readonly ProbeWords[];
  readonly requests: ResourceAmounts;
  readonly limits: ResourceAmounts;
  readonly ports: readonly { readonly name: string; readonly port: number; readonly protocol: string }[];
  /** Of an ephemeral one: the container whose processes it sees. */
  readonly target: string | undefined;
}

const LISTS = [
  ['main', 'containers', 'containerStatuses'],
  ['init', 'initContainers', 'initContainerStatuses'],
  ['ephemeral', 'ephemeralContainers', 'ephemeralContainerStatuses'],
] as const;

/** The containers of a pod: main ones, sidecars, init ones, ephemeral ones. */
export function containersOfPod(pod: KubeObject): PodContainer[] {
  const all = LISTS.flatMap(([role, list, statuses]) =>
    arrayAt(pod.spec, list).map((spec) => {
      const name = stringAt(spec, 'name') ?? '';
      const status = arrayAt(pod.status, statuses).find((each) => stringAt(each, 'name') === name);
      const isSidecar = role === 'init' && stringAt(spec, 'restartPolicy') === 'Always';
      return containerOf(spec, status, isSidecar ? 'sidecar' : role);
    }),
  );
  const order: readonly ContainerRole[] = ['main', 'sidecar', 'init', 'ephemeral'];
  return all.sort((a, b) => order.indexOf(a.role) - order.indexOf(b.role));
}

function containerOf(spec: JsonValue, status: JsonValue | undefined, role: ContainerRole): PodContainer {
  const now = endOf(getAt(status, 'state', 'terminated'));
  const before = endOf(getAt(status, 'lastState', 'terminated'));
  const restarts = numberAt(status, 'restartCount') ?? 0;
  return {
    name: stringAt(spec, 'name') ?? '',
    role,
    image: stringAt(spec, 'image') ?? '',
    ...stateOf(status, now, role),
    restarts,
    lastEnd: now ?? before,
    hasPreviousLog: restarts > 0,
    probes: probesOf(spec),
    requests: amountsOf(spec, 'requests'),
    limits: amountsOf(spec, 'limits'),
    ports: arrayAt(spec, 'ports').map((port) => ({
      name: stringAt(port, 'name') ?? '',
      port: numberAt(port, 'containerPort') ?? 0,
      protocol: stringAt(port, 'protocol') ?? 'TCP',
    })),
    target: stringAt(spec, 'targetContainerName'),
  };
}

type State = Pick<PodContainer, 'status' | 'word' | 'message' | 'since' | 'isRunning'>;

function stateOf(status: JsonValue | undefined, ended: EndedRun | undefined, role: ContainerRole): State {
  const startedAt = stringAt(status, 'state', 'running', 'startedAt');
  if (startedAt !== undefined) {
    const isReady = getAt(status, 'ready') !== false || role === 'ephemeral';
    const word = isReady ? 'Running' : 'Running, not ready';
    return { status: isReady ? 'healthy' : 'unhealthy', word, message: '', since: startedAt, isRunning: true };
  }
  if (ended !== undefined) {
    const word = ended.reason || (ended.exitCode === 0 ? 'Completed' : 'Error');
    const { message, finishedAt } = ended;
    const key = ended.exitCode === 0 ? 'COMPLETE' : 'FATAL_ERROR';
    return { status: key, word, message, since: finishedAt, isRunning: false };
  }
  const reason = stringAt(status, 'state', 'waiting', 'reason') ?? 'Waiting';
  const isTrouble = /BackOff|Err|Error|Invalid|Never/.test(reason);
  const message = stringAt(status, 'state', 'waiting', 'message') ?? '';
  return { status: isTrouble ? 'failing' : 'waiting', word: reason, message, since: undefined, isRunning: false };
}

function endOf(terminated: JsonValue | undefined): EndedRun | undefined {
  const exitCode = numberAt(terminated, 'exitCode');
  if (exitCode === undefined) return undefined;
  const reason = stringAt(terminated, 'reason') ?? '';
  return {
    exitCode,
    reason,
    message: stringAt(terminated, 'message') ?? '',
    meaning: explainExitCode(exitCode, reason),
    startedAt: stringAt(terminated, 'startedAt'),
    finishedAt: stringAt(terminated, 'finishedAt'),
  };
}

function amountsOf(spec: JsonValue, kind: 'requests' | 'limits'): ResourceAmounts {
  const amount = (name: string) => {
    const value = getAt(spec, 'resources', kind, name);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
  return { cpu: amount('cpu'), memory: amount('memory') };
}
