'use client';

import { useState } from 'react';
import { LogView } from '@/components/instances/log-view';
import { Select } from '@/components/ui/input';
import { arrayAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';

/** The log of a container of a pod, followed live. */
export function PanelLogs({ pod }: { pod: KubeObject }) {
  const [chosen, setChosen] = useState('');
  const containers = [...arrayAt(pod.spec, 'containers'), ...arrayAt(pod.spec, 'initContainers')].flatMap(
    (container) => stringAt(container, 'name') ?? [],
  );
  const container = containers.includes(chosen) ? chosen : (containers[0] ?? '');
  return (
    <LogView
      key={`${pod.metadata.uid ?? ''}/${container}`}
      namespace={namespaceOf(pod)}
      pod={nameOf(pod)}
      container={container}
    >
      <Select
        aria-label="Container"
        className="max-w-[180px]"
        value={container}
        onChange={(event) => setChosen(event.target.value)}
      >
        {containers.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </Select>
    </LogView>
  );
}
