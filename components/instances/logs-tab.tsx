'use client';

import { useState } from 'react';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { useTopic } from '@/components/live/use-topic';
import { compareNames } from '@/components/ui/compare-names';
import { EmptyState } from '@/components/ui/empty-state';
import { Select } from '@/components/ui/input';
import { TopicState } from '@/components/ui/topic-state';
import { arrayAt, stringAt } from '@/lib/json/json';
import { kubeHealthOf } from '@/lib/kube/health/health';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { INSTANCE_LABEL } from '@/lib/kudo/names';
import { topics } from '@/lib/live/topic';
import { LogView } from './log-view';

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
          <EmptyState title="This instance has no pods">Logs appear here when a plan starts a pod.</EmptyState>
        )}
      </section>
    );
  }
  const containers = containersOf(pod);
  const container = containers.includes(chosen?.container ?? '') ? (chosen?.container ?? '') : (containers[0] ?? '');
  return (
    <section className="card overflow-clip">
      <LogView
        key={`${nameOf(pod)}/${pod.metadata.uid ?? ''}/${container}`}
        namespace={namespace}
        pod={nameOf(pod)}
        container={container}
      >
        <Select
          aria-label="Pod"
          className="max-w-[260px] max-sm:max-w-full"
          value={nameOf(pod)}
          onChange={(event) => setChosen({ pod: event.target.value, container })}
        >
          {pods.map((candidate) => (
            <option key={nameOf(candidate)} value={nameOf(candidate)}>
              {nameOf(candidate)}
              {podMark(candidate)}
            </option>
          ))}
        </Select>
        <Select
          aria-label="Container"
          className="max-w-[180px]"
          value={container}
          onChange={(event) => setChosen({ pod: nameOf(pod), container: event.target.value })}
        >
          {containers.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </Select>
      </LogView>
    </section>
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

function containersOf(pod: KubeObject): string[] {
  return [...arrayAt(pod.spec, 'containers'), ...arrayAt(pod.spec, 'initContainers')].flatMap(
    (container) => stringAt(container, 'name') ?? [],
  );
}
