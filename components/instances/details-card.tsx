'use client';

import dynamic from 'next/dynamic';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { Card } from '@/components/ui/card';
import { KeyValues } from '@/components/ui/key-values';
import { Link } from '@/components/ui/link';
import { loadPart } from '@/components/ui/load-part';
import { TimeAgo } from '@/components/ui/time-ago';
import { SELF_HEAL_ANNOTATION } from '@/lib/kudo/names';
import { ownerLinkOf } from '@/lib/kudo/own-kinds/names';
import { isSelfHealing } from '@/lib/kudo/self-heal/self-heal';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';

/** Loaded where an Instance belongs to a resource of an own kind. */
const OwnKindLink = dynamic(() => loadPart(() => import('./own-kind-link')).then((module) => module.OwnKindLink));

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
          ['Belongs to', owner === undefined ? undefined : <OwnKindLink key="owner" row={row} owner={owner} />],
          ['Created', <TimeAgo key="created" at={row.createdAt} />],
        ]}
      />
    </Card>
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
