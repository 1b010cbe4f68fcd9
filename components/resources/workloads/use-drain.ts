'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { browserClock } from '@/components/live/clock';
import { request } from '@/components/live/request';
import { messageOf } from '@/lib/errors/errors';
import { getAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { CONSOLE_MANAGER } from '@/lib/kube/ownership/revert';
import { type DrainedPod, drainedPods, evictionOf } from '@/lib/kube/workloads/drain';
import { limits } from '@/lib/limits/limits';
import { topics } from '@/lib/live/topic';
import { kubePath } from '../resource-path';
import { type DrainProgress, runDrain } from './run-drain';

/** The drain of a Node, as its dialog shows it. */
export interface Drain {
  /** Before the drain: what would happen. While it runs: what is left. Undefined until the pods were read. */
  readonly pods: readonly DrainedPod[] | undefined;
  /** Why the pods cannot be read. */
  readonly problem: string | undefined;
  readonly state: 'asked' | 'running' | 'stopped' | 'done' | 'failed';
  readonly progress: DrainProgress | undefined;
  start(mayEvict: (pod: DrainedPod) => boolean): void;
  stop(): void;
}

/** Reads what is on a Node, and drains it. The drain stops when the component that uses it goes. */
export function useDrain(node: KubeObject): Drain {
  const name = node.metadata.name ?? '';
  const plan = useQuery({
    queryKey: ['pods-of-node', name],
    staleTime: 0,
    queryFn: ({ signal }) => podsOfNode(name, signal),
  });
  const [state, setState] = useState<Drain['state']>('asked');
  const [progress, setProgress] = useState<DrainProgress>();
  const [failure, setFailure] = useState<string>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = (mayEvict: (pod: DrainedPod) => boolean) => {
    const abort = new AbortController();
    running.current = abort;
    setState('running');
    setFailure(undefined);
    runDrain({
      cordon: () => cordon(node),
      read: () => podsOfNode(name, abort.signal),
      evict: (pod) => evict(pod),
      mayEvict,
      report: setProgress,
      clock: browserClock,
      signal: abort.signal,
    }).then(
      () => setState('done'),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setFailure(messageOf(error));
        setState('failed');
      },
    );
  };
  const stop = () => {
    running.current?.abort();
    setState('stopped');
  };
  const problem = failure ?? (plan.error === null ? undefined : messageOf(plan.error));
  return { pods: progress?.pods ?? plan.data, problem, state, progress, start, stop };
}

interface ObjectList {
  readonly items: readonly KubeObject[];
}

/** @throws RequestError */
async function podsOfNode(node: string, signal: AbortSignal): Promise<readonly DrainedPod[]> {
  const query = new URLSearchParams({ fieldSelector: `spec.nodeName=${node}`, limit: String(limits.podsOfNode) });
  const budgets = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' };
  const [pods, held] = await Promise.all([
    request<ObjectList>(`${kubePath({ group: '', version: 'v1', resource: 'pods' })}?${query}`, { signal }),
    request<ObjectList>(kubePath(budgets), { signal }),
  ]);
  if (getAt(pods, 'metadata', 'continue') !== undefined) {
    throw new Error(`Node ${node} runs more than ${limits.podsOfNode} pods. Use kubectl drain.`);
  }
  return drainedPods(pods.items, held.items);
}

async function cordon(node: KubeObject): Promise<void> {
  if (getAt(node, 'spec', 'unschedulable') === true) return;
  const path = kubePath({ group: '', version: 'v1', resource: 'nodes', name: node.metadata.name });
  await request(`${path}?fieldManager=${CONSOLE_MANAGER}`, {
    method: 'PATCH',
    contentType: 'application/merge-patch+json',
    body: { spec: { unschedulable: true } },
  });
}

function evict(pod: DrainedPod): Promise<unknown> {
  const path = kubePath({ ...topics.pods(pod.namespace), name: pod.name, subresource: 'eviction' });
  return request(path, { method: 'POST', body: evictionOf(pod) });
}
