'use client';

import { useState } from 'react';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { useTopic } from '@/components/live/use-topic';
import { LogPanel } from '@/components/logs/log-panel';
import { compareNames } from '@/components/ui/compare-names';
import { EmptyState } from '@/components/ui/empty-state';
import { Select } from '@/components/ui/input';
import { TopicState } from '@/components/ui/topic-state';
import { stringAt } from '@/lib/json/json';
import { kubeHealthOf } from '@/lib/kube/health/health';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { containersOfPod } from '@/lib/kube/pods/pod-containers';
import { INSTANCE_LABEL } from '@/lib/kudo/names';
import { topics } from '@/lib/live/topic';

/** The log of a container of one of the Instance's pods, followed live. */
export function LogsTab() {
  const { namespace, name } = useInstanceView();
  const view = useTopic(topics.podsOf(namespace, name));
  const [chosen, setChosen] = useState<{ pod: string; container: string }>();
  const pods = view.objects
    .filter((pod) => pod.metadata.labels?.[INSTANCE_LABEL] === name)
    .sort((a, b) => compareNames(nameOf(a), nameOf(b)));
  const pod = pods.find((candidate) => nameOf(candidate) === chosen?.pod) ?? firstTroubled(pods);
  if (pod === undefined) {
    return (
      <section className="card overflow-clip">
        <TopicState view={view} what="pods" />
        {view.status === 'ready' && (
          <EmptyState title="This instance has no pods" guide="pods">
            Logs appear here when a plan starts a pod.
          </EmptyState>
        )}
      </section>
    );
  }
  const containers = containersOfPod(pod);
  const main = containers.filter(({ role }) => role === 'main' || role === 'sidecar');
  const found = containers.filter(({ name: container }) => container === chosen?.container);
  const shown = found.length > 0 ? found : main;
  return (
    <LogPanel
      key={`${nameOf(pod)}/${pod.metadata.uid ?? ''}/${shown.map(({ name: container }) => container).join()}`}
      namespace={namespace}
      pod={nameOf(pod)}
      sources={shown.map(({ name: container, hasPreviousLog }) => ({ container, hasPrevious: hasPreviousLog }))}
    >
      <Select
        aria-label="Pod"
        className="max-w-[260px] max-sm:max-w-full"
        value={nameOf(pod)}
        onChange={(event) => setChosen({ pod: event.target.value, container: chosen?.container ?? '' })}
      >
        {pods.map((candidate) => (
          <option key={nameOf(candidate)} value={nameOf(candidate)}>
            {nameOf(candidate)}
            {podMark(candidate)}
          </option>
        ))}
      </Select>
      {containers.length > 1 && (
        <Select
          aria-label="Container"
          className="max-w-[180px]"
          value={found[0]?.name ?? ''}
          onChange={(event) => setChosen({ pod: nameOf(pod), container: event.target.value })}
        >
          <option value="">all containers</option>
          {containers.map((option) => (
            <option key={option.name}>{option.name}</option>
          ))}
        </Select>
      )}
    </LogPanel>
  );
}

/** The first pod that is not healthy, else the first. Completed pods of jobs count as healthy. */
function firstTroubled(pods: readonly KubeObject[]): KubeObject | undefined {
  return pods.find((pod) => podMark(pod) !== '') ?? pods[0];
}

function podMark(pod: KubeObject): string {
  if (stringAt(pod.status, 'phase') === 'Succeeded') return '';
  const health = kubeHealthOf(pod);
  return health.state === 'healthy' ? '' : ` (${health.message || health.state})`;
}
