'use client';

import { objectHref } from '@/components/resources/resource-path';
import { Card } from '@/components/ui/card';
import { KeyValues } from '@/components/ui/key-values';
import { Link } from '@/components/ui/link';
import { TimeAgo } from '@/components/ui/time-ago';
import { arrayAt, isJsonObject, stringAt } from '@/lib/json/json';
import { type KubeObject, namespaceOf } from '@/lib/kube/object';

const CORE = { group: '', version: 'v1' };

/** Where a pod runs, and as what. */
export function PodPlaceCard({ pod }: { pod: KubeObject }) {
  const node = stringAt(pod.spec, 'nodeName');
  const account = stringAt(pod.spec, 'serviceAccountName');
  const started = stringAt(pod.status, 'startTime');
  return (
    <Card title="Pod" padded>
      <KeyValues
        entries={[
          ['Phase', stringAt(pod.status, 'phase')],
          [
            'Node',
            node === undefined ? 'none yet' : <ObjectLink key="node" resource="nodes" namespace="" name={node} />,
          ],
          ['Pod IP', stringAt(pod.status, 'podIP')],
          ['QoS class', stringAt(pod.status, 'qosClass')],
          ['Priority class', stringAt(pod.spec, 'priorityClassName')],
          ['Restart policy', stringAt(pod.spec, 'restartPolicy')],
          [
            'Service account',
            account === undefined ? undefined : (
              <ObjectLink key="account" resource="serviceaccounts" namespace={namespaceOf(pod)} name={account} />
            ),
          ],
          ['Started', started === undefined ? undefined : <TimeAgo key="started" at={started} />],
        ]}
      />
    </Card>
  );
}

/** The sources of volumes that are objects, by the field of the volume: its resource, and where its name is. */
const SOURCES: readonly (readonly [field: string, resource: string, name: string])[] = [
  ['persistentVolumeClaim', 'persistentvolumeclaims', 'claimName'],
  ['configMap', 'configmaps', 'name'],
  ['secret', 'secrets', 'secretName'],
];

/** The volumes of a pod, with their sources, and where containers mount them. */
export function VolumesCard({ pod }: { pod: KubeObject }) {
  const volumes = arrayAt(pod.spec, 'volumes');
  if (volumes.length === 0) return null;
  const containers = [...arrayAt(pod.spec, 'containers'), ...arrayAt(pod.spec, 'initContainers')];
  return (
    <Card title="Volumes" note={String(volumes.length)}>
      <ul className="divide-y divide-line">
        {volumes.map((volume) => {
          const name = stringAt(volume, 'name') ?? '';
          const known = SOURCES.find(([field]) => isJsonObject(volume) && isJsonObject(volume[field]));
          const source = known && stringAt(volume, known[0], known[2]);
          return (
            <li key={name} className="px-4 py-2">
              <p className="flex flex-wrap gap-x-2">
                <span className="break-all font-medium">{name}</span>
                {known !== undefined && source !== undefined ? (
                  <ObjectLink resource={known[1]} namespace={namespaceOf(pod)} name={source} />
                ) : (
                  <span className="text-ink-2">{kindOfVolume(volume)}</span>
                )}
              </p>
              {mountsOf(containers, name).map((mount) => (
                <p key={mount} className="break-all text-ink-3 text-xs">
                  {mount}
                </p>
              ))}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function ObjectLink({ resource, namespace, name }: { resource: string; namespace: string; name: string }) {
  return (
    <Link
      className="link break-all text-accent"
      href={objectHref({ ...CORE, resource }, namespace, name)}
      prefetch={false}
    >
      {name}
    </Link>
  );
}

function kindOfVolume(volume: unknown): string {
  return isJsonObject(volume)
    ? Object.keys(volume)
        .filter((key) => key !== 'name')
        .join(', ')
    : '';
}

function mountsOf(containers: ReturnType<typeof arrayAt>, volume: string): string[] {
  return containers.flatMap((container) =>
    arrayAt(container, 'volumeMounts')
      .filter((mount) => stringAt(mount, 'name') === volume)
      .map((mount) => {
        const readOnly = isJsonObject(mount) && mount.readOnly === true ? ', read only' : '';
        return `${stringAt(container, 'name') ?? ''}: ${stringAt(mount, 'mountPath') ?? ''}${readOnly}`;
      }),
  );
}
