'use client';

import { Card } from '@/components/ui/card';
import { instanceOfResource } from '@/lib/kudo/own-kinds/own-resource';
import type { ObjectAddress } from './object-draft';
import { ObjectEventList } from './object-events';
import { ObjectYaml } from './object-yaml';
import { SpecFormTab } from './own-kinds/spec-form-tab';
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

/** The tab with the form of an object: an operator's own kind has the form of its operator, every other kind that of its schema. */
export function ObjectFormTab({ address }: { address: ObjectAddress }) {
  const live = useLiveObject(address);
  if (live !== undefined && instanceOfResource(live) !== undefined) return <SpecFormTab address={address} />;
  return <ObjectYaml address={address} live={live} view="form" />;
}
