'use client';

import { Card } from '@/components/ui/card';
import type { ObjectAddress } from './object-draft';
import { ObjectEventList } from './object-events';
import { ObjectYaml } from './object-yaml';
import { useLiveObject } from './use-live-object';

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
