'use client';

import { useObject } from '@/components/live/use-topic';
import { Card } from '@/components/ui/card';
import type { ObjectAddress } from './object-draft';
import { ObjectEventList } from './object-events';
import { ObjectYaml } from './object-yaml';
import { useLastState } from './use-last-state';

/** The tab with all events of an object. */
export function ObjectEventsTab({ address }: { address: ObjectAddress }) {
  const object = useLiveObject(address);
  if (object === undefined) return null;
  return (
    <Card title="Events">
      <ObjectEventList object={object} />
    </Card>
  );
}

/** The tab with the object as YAML. */
export function ObjectYamlTab({ address }: { address: ObjectAddress }) {
  return <ObjectYaml address={address} live={useLiveObject(address)} />;
}

function useLiveObject({ type, namespace, name }: ObjectAddress) {
  return useLastState(useObject({ ...type, namespace: namespace || undefined }, namespace, name).object);
}
