import { formatTime } from '@/lib/clock/clock';
import { arrayAt, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { findCondition } from '../core/conditions';
import { hashJson } from '../pods/template-hash';
import type { ContainerRun, ContainerState } from './container-run';
import type { PodRun } from './pod-run';

export const NODE_IP = '10.240.0.2';

/** Pending, Running, Succeeded or Failed, from what the containers do (Kubernetes kubelet getPhase). */
export function phaseFor(run: PodRun): string {
  const failedInit = run.inits.some((init) => hasEnded(run, init) && !succeeded(init));
  if (failedInit) return 'Failed';
  if (!run.initialized) return 'Pending';
  if (run.mains.some((container) => neverStarted(container))) return 'Pending';
  if (!run.mains.every((container) => hasEnded(run, container))) return 'Running';
  return run.mains.every(succeeded) ? 'Succeeded' : 'Failed';
}

function hasEnded(run: PodRun, container: ContainerRun): boolean {
  return container.state.kind === 'terminated' && !run.restarts(container);
}

function succeeded(container: ContainerRun): boolean {
  return container.state.kind === 'terminated' && container.state.exitCode === 0;
}

function neverStarted(container: ContainerRun): boolean {
  return container.state.kind === 'waiting' && container.last === undefined;
}

/** The whole status of a pod on the node; conditions that do not change keep their times. */
export function statusFor(run: PodRun, ip: string, nowMs: number): JsonObject {
  const { pod } = run;
  const phase = phaseFor(run);
  const before = objectAt(pod, 'status');
  const ended = phase === 'Succeeded' || phase === 'Failed';
  const waiting = (containers: readonly ContainerRun[]): string =>
    `[${containers
      .filter((each) => !run.isReady(each))
      .map(({ name }) => name)
      .join(' ')}]`;
  const ready = !ended && run.initialized && run.mains.every((each) => run.isReady(each));
  const notReady = ended
    ? { reason: phase === 'Failed' ? 'PodFailed' : 'PodCompleted' }
    : { reason: 'ContainersNotReady', message: `containers with unready status: ${waiting(run.mains)}` };
  const notInitialized = {
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: ${waiting(run.inits)}`,
  };
  const initialized = phase === 'Succeeded' ? { reason: 'PodCompleted' } : {};
  const generation = pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation };
  const condition = (type: string, holds: boolean, details: JsonObject): JsonObject => {
    const status = holds ? 'True' : 'False';
    const last = findCondition(arrayAt(before, 'conditions'), type);
    const lastTransitionTime = (last?.status === status ? last.lastTransitionTime : undefined) ?? formatTime(nowMs);
    return { type, ...generation, status, lastProbeTime: null, lastTransitionTime, ...details };
  };
  const conditions = [
    condition('PodReadyToStartContainers', run.prepared && !ended, {}),
    condition('Initialized', run.initialized, run.initialized ? initialized : notInitialized),
    condition('Ready', ready, ready ? {} : notReady),
    condition('ContainersReady', ready, ready ? {} : notReady),
    condition('PodScheduled', true, {}),
  ];
  return {
    ...before,
    ...generation,
    phase,
    conditions,
    hostIP: NODE_IP,
    hostIPs: [{ ip: NODE_IP }],
    ...(run.prepared ? { podIP: ip, podIPs: [{ ip }] } : {}),
    startTime: stringAt(before, 'startTime') ?? formatTime(nowMs),
    ...(run.inits.length === 0 ? {} : { initContainerStatuses: run.inits.map((each) => containerStatus(run, each)) }),
    containerStatuses: run.mains.map((each) => containerStatus(run, each)),
    ...(run.ephemerals.length === 0
      ? {}
      : { ephemeralContainerStatuses: run.ephemerals.map((each) => containerStatus(run, each)) }),
  };
}

function containerStatus(run: PodRun, container: ContainerRun): JsonObject {
  const { state } = container;
  const started = state.kind === 'running';
  const id = containerId(run.pod, container);
  const pulled = started || state.kind === 'terminated' || container.last !== undefined;
  return {
    name: container.name,
    state: stateJson(state, id),
    lastState: container.last === undefined ? {} : stateJson(container.last, id),
    ready: run.isReady(container),
    restartCount: container.restartCount,
    image: container.image,
    imageID: pulled ? imageId(container.image) : '',
    ...(pulled ? { containerID: id } : {}),
    started: container.isInit && !container.isSidecar ? false : started,
  };
}

function stateJson(state: ContainerState, containerID: string): JsonObject {
  switch (state.kind) {
    case 'waiting':
      return { waiting: { reason: state.reason, ...(state.message === undefined ? {} : { message: state.message }) } };
    case 'running':
      return { running: { startedAt: formatTime(state.startedMs) } };
    case 'terminated': {
      const { exitCode, startedMs, finishedMs, message } = state;
      const reason = exitCode === 0 ? 'Completed' : 'Error';
      const times = { startedAt: formatTime(startedMs), finishedAt: formatTime(finishedMs) };
      return { terminated: { exitCode, reason, ...(message === '' ? {} : { message }), ...times, containerID } };
    }
  }
}

function containerId(pod: KubeObject, container: ContainerRun): string {
  return `containerd://${digest(`${pod.metadata.uid ?? ''}/${container.name}/${container.restartCount}`)}`;
}

function imageId(image: string): string {
  return `${image.split('@')[0]?.replace(/:[^:/]+$/, '') ?? image}@sha256:${digest(image)}`;
}

/** 64 hexadecimal digits that depend on the text alone; no cryptography is meant. */
function digest(text: string): string {
  let result = '';
  for (let part = 0; part < 8; part++) result += hashJson(text, String(part)).toString(16).padStart(8, '0');
  return result;
}
