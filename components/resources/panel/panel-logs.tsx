'use client';

import { useState } from 'react';
import { LogPanel } from '@/components/logs/log-panel';
import { Select } from '@/components/ui/input';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { containersOfPod } from '@/lib/kube/pods/pod-containers';

/** The log of a container of a pod, followed live. */
export function PanelLogs({ pod }: { pod: KubeObject }) {
  const [chosen, setChosen] = useState('');
  const containers = containersOfPod(pod);
  const container = containers.find(({ name }) => name === chosen) ?? containers[0];
  if (container === undefined) return null;
  return (
    <LogPanel
      key={`${pod.metadata.uid ?? ''}/${container.name}`}
      namespace={namespaceOf(pod)}
      pod={nameOf(pod)}
      sources={[{ container: container.name, hasPrevious: container.hasPreviousLog }]}
    >
      <Select
        aria-label="Container"
        className="max-w-[180px]"
        value={container.name}
        onChange={(event) => setChosen(event.target.value)}
      >
        {containers.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
    </LogPanel>
  );
}
