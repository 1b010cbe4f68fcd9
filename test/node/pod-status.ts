import { rfc3339 } from '@/lib/clock/rfc3339';
import { arrayAt, type JsonObject, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

export interface Terminated {
  readonly kind: 'terminated';
  readonly exitCode: number;
  readonly reason: string;
  readonly message: string;
  readonly startedMs: number;
  readonly finishedMs: number;
  readonly containerID: string;
}

export type ContainerState =
  | { readonly kind: 'waiting'; readonly reason: string; readonly message: string }
  | { readonly kind: 'running'; readonly startedMs: number }
  | Terminated;

/** What the status says of one container. */
export interface ContainerView {
  readonly name: string;
  readonly image: string;
  readonly imageID: string;
  readonly containerID: string;
  readonly state: ContainerState;
  readonly last: Terminated | undefined;
  readonly restartCount: number;
  readonly isReady: boolean;
  readonly isStarted: boolean;
  /** Terminated, and not started again. */
  readonly hasEnded: boolean;
  /** An init container that runs beside the others. */
  readonly isSidecar: boolean;
}

export interface PodView {
  readonly pod: KubeObject;
  readonly hostIP: string;
  /** Undefined before the pod has a network. */
  readonly podIP: string | undefined;
  readonly inits: readonly ContainerView[];
  readonly mains: readonly ContainerView[];
}

/** Pending, Running, Succeeded or Failed (Kubernetes kubelet getPhase). */
export function podPhase({ inits, mains }: PodView): string {
  const isFailed = ({ state }: ContainerView) => state.kind === 'terminated' && state.exitCode !== 0;
  if (inits.some((each) => !each.isSidecar && each.hasEnded && isFailed(each))) return 'Failed';
  if (!inits.every(isInitDone)) return 'Pending';
  if (mains.some((each) => each.state.kind === 'waiting' && each.last === undefined)) return 'Pending';
  if (!mains.every((each) => each.hasEnded)) return 'Running';
  return mains.some(isFailed) ? 'Failed' : 'Succeeded';
}

function isInitDone({ isSidecar, isStarted, hasEnded, state }: ContainerView): boolean {
  if (isSidecar) return isStarted || hasEnded;
  return state.kind === 'terminated' && state.exitCode === 0;
}

/** The whole status of a pod; conditions of others, and times of conditions that did not change, are kept. */
export function podStatus(view: PodView, nowMs: number): JsonObject {
  const { pod, inits, mains, podIP, hostIP } = view;
  const phase = podPhase(view);
  const hasEnded = phase === 'Succeeded' || phase === 'Failed';
  const isInitialized = inits.every(isInitDone);
  const unready = mains.filter((each) => !each.isReady).map((each) => each.name);
  const isReady = isInitialized && !hasEnded && unready.length === 0;
  const notReady = hasEnded
    ? { reason: phase === 'Failed' ? 'PodFailed' : 'PodCompleted' }
    : { reason: 'ContainersNotReady', message: `containers with unready status: [${unready.join(' ')}]` };
  const incomplete = inits.filter((each) => !isInitDone(each)).map((each) => each.name);
  const notInitialized = {
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: [${incomplete.join(' ')}]`,
  };
  const own = [
    condition('PodReadyToStartContainers', podIP !== undefined && !hasEnded, {}),
    condition('Initialized', isInitialized, notInitialized),
    condition('Ready', isReady, notReady),
    condition('ContainersReady', isReady, notReady),
    condition('PodScheduled', true, {}),
  ];
  const before = objectAt(pod, 'status');
  return {
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
    phase,
    conditions: withTimes(own, arrayAt(before, 'conditions'), nowMs),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...(podIP === undefined ? {} : { podIP, podIPs: [{ ip: podIP }] }),
    startTime: stringAt(before, 'startTime') ?? rfc3339(nowMs),
    ...(inits.length === 0 ? {} : { initContainerStatuses: inits.map(containerStatus) }),
    containerStatuses: mains.map(containerStatus),
  };
}

function condition(type: string, holds: boolean, otherwise: JsonObject): JsonObject {
  return { type, status: holds ? 'True' : 'False', lastProbeTime: null, ...(holds ? {} : otherwise) };
}

function withTimes(own: readonly JsonObject[], before: readonly JsonValue[], nowMs: number): JsonValue[] {
  const timed = own.map((each) => {
    const same = before.find((old) => stringAt(old, 'type') === each.type && stringAt(old, 'status') === each.status);
    return { ...each, lastTransitionTime: stringAt(same, 'lastTransitionTime') ?? rfc3339(nowMs) };
  });
  const types = new Set(own.map(({ type }) => type));
  return [...timed, ...before.filter((old) => !types.has(stringAt(old, 'type') ?? ''))];
}

function containerStatus(view: ContainerView): JsonObject {
  const { state, last } = view;
  return {
    name: view.name,
    state: stateJson(state),
    lastState: last === undefined ? {} : stateJson(last),
    ready: view.isReady,
    restartCount: view.restartCount,
    image: view.image,
    imageID: view.imageID,
    ...(view.containerID === '' ? {} : { containerID: view.containerID }),
    started: view.isStarted,
  };
}

function stateJson(state: ContainerState): JsonObject {
  switch (state.kind) {
    case 'waiting':
      return { waiting: { reason: state.reason, ...(state.message === '' ? {} : { message: state.message }) } };
    case 'running':
      return { running: { startedAt: rfc3339(state.startedMs) } };
    case 'terminated':
      return {
        terminated: {
          exitCode: state.exitCode,
          reason: state.reason,
          ...(state.message === '' ? {} : { message: state.message }),
          startedAt: rfc3339(state.startedMs),
          finishedAt: rfc3339(state.finishedMs),
          containerID: state.containerID,
        },
      };
  }
}
