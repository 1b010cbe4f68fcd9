'use client';

import { useInstanceView } from '@/components/instance-view/instance-context';
import { objectHref } from '@/components/resources/resource-path';
import { Card } from '@/components/ui/card';
import { KeyValues } from '@/components/ui/key-values';
import { Link } from '@/components/ui/link';
import { TimeAgo } from '@/components/ui/time-ago';
import { SELF_HEAL_ANNOTATION } from '@/lib/kudo/names';
import { type OwnerLink as OwnerLinkParts, ownerLinkOf, storageVersionOf } from '@/lib/kudo/own-kinds/names';
import { ownKindOf } from '@/lib/kudo/own-kinds/stored-api';
import { isSelfHealing } from '@/lib/kudo/self-heal/self-heal';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';

/** Namespace, operator, version and other facts, as people copy them into tickets. */
export function DetailsCard({ row }: { row: InstanceRow }) {
  const { deleted } = useInstanceView();
  const parent = row.instance.metadata.ownerReferences?.find((owner) => owner.kind === 'Instance');
  const owner = ownerLinkOf(row.instance);
  const changed = Object.keys(row.instance.spec?.parameters ?? {}).length;
  const version = row.operatorVersionObject;
  const ready = row.instance.status?.conditions?.find((condition) => condition.type === 'Ready');
  return (
    <Card title="Details" padded>
      <KeyValues
        entries={[
          ['Namespace', row.namespace],
          ['Operator', row.operator],
          ['Version', <code key="version">{row.operatorVersion}</code>],
          [
            'Parameters',
            <Link key="parameters" href={instancePath(row.namespace, row.name, 'parameters')} className="link">
              {version === undefined ? `${changed} set` : `${changed} of ${version.spec?.parameters?.length ?? 0} set`}
            </Link>,
          ],
          ['Ready', ready === undefined || deleted ? undefined : readyWord(ready.status, row.active !== undefined)],
          ['Self-heal', selfHealWord(row)],
          [
            'Part of',
            parent === undefined ? undefined : (
              <Link key="parent" href={instancePath(row.namespace, parent.name)} className="link">
                {parent.name}
              </Link>
            ),
          ],
          ['Belongs to', owner === undefined ? undefined : <OwnerLink key="owner" row={row} owner={owner} />],
          ['Created', <TimeAgo key="created" at={row.createdAt} />],
        ]}
      />
    </Card>
  );
}

/** The resource of an own kind whose Instance this is; a link when the version of the Instance brings the kind. */
function OwnerLink({ row, owner }: { row: InstanceRow; owner: OwnerLinkParts }) {
  const kind = ownKindOf(row.operatorVersionObject, owner);
  const text = `${owner.kind} ${owner.name}`;
  const version = kind === undefined ? undefined : storageVersionOf(kind)?.name;
  if (kind === undefined || version === undefined) return text;
  const type = { group: kind.group, version, resource: kind.plural };
  return (
    <Link className="link" href={objectHref(type, row.namespace, owner.name)}>
      {text}
    </Link>
  );
}

/** Without the OperatorVersion only the annotation of the Instance is known. */
function selfHealWord({ instance, operatorVersionObject: version }: InstanceRow): string {
  if (version === undefined && instance.metadata.annotations?.[SELF_HEAL_ANNOTATION] === undefined) return 'Unknown';
  return isSelfHealing(instance, version) ? 'On' : 'Off';
}

function readyWord(status: 'True' | 'False' | 'Unknown', isRunning: boolean): string {
  if (status !== 'Unknown') return status === 'True' ? 'Yes' : 'No';
  return isRunning ? 'Unknown while a plan runs' : 'Unknown';
}
