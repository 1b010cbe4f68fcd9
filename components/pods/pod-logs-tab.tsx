'use client';

import { LogPanel } from '@/components/logs/log-panel';
import type { ObjectAddress } from '@/components/resources/object-draft';
import { useLiveObject } from '@/components/resources/use-live-object';
import { useUrlState } from '@/components/resources/use-url-state';
import { Chip } from '@/components/ui/chip';
import { containersOfPod } from '@/lib/kube/pods/pod-containers';

/** The logs of the containers of a pod that the address names; those of all main ones without. */
export function PodLogsTab({ address }: { address: ObjectAddress }) {
  const pod = useLiveObject(address);
  const [chosen, choose] = useUrlState('container');
  if (pod === undefined) return null;
  const containers = containersOfPod(pod);
  const named = chosen.split(',').filter((name) => containers.some((each) => each.name === name));
  const main = containers.filter(({ role }) => role === 'main' || role === 'sidecar').map(({ name }) => name);
  const shown = named.length > 0 ? named : main;
  const toggle = (name: string) => {
    const next = shown.includes(name) ? shown.filter((each) => each !== name) : [...shown, name];
    if (next.length > 0) choose(containers.flatMap((each) => (next.includes(each.name) ? [each.name] : [])).join(','));
  };
  return (
    <LogPanel
      key={`${pod.metadata.uid} ${shown.join()}`}
      namespace={address.namespace}
      pod={address.name}
      sources={containers
        .filter(({ name }) => shown.includes(name))
        .map(({ name, hasPreviousLog }) => ({ container: name, hasPrevious: hasPreviousLog }))}
    >
      {containers.length > 1 && (
        <fieldset className="flex flex-wrap gap-1">
          <legend className="sr-only">Containers</legend>
          {containers.map(({ name }) => (
            <Chip key={name} pressed={shown.includes(name)} onClick={() => toggle(name)}>
              {name}
            </Chip>
          ))}
        </fieldset>
      )}
    </LogPanel>
  );
}
