import { useMemo } from 'react';
import { CopyAsMenu } from '@/components/ui/copy-as-menu';
import { loadPart } from '@/components/ui/load-part';
import { useLoaded } from '@/components/ui/use-loaded';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { randomUuid, systemRandom } from '@/lib/random/random';
import type { PlanToStart } from './use-run-plan';

const loadCommands = () => loadPart(() => import('@/lib/kudo/commands/start-commands'));

/** Copies the start of a plan as a command. */
export function CopyStart({ row, start }: { row: InstanceRow; start: PlanToStart }) {
  const loaded = useLoaded(loadCommands);
  const { plan, parameters = {}, confirm, ...wishes } = start;
  const uid = useMemo(() => randomUuid(systemRandom), []);
  const { instance, operatorVersionObject: operatorVersion } = row;
  const commands = loaded?.startCommands({ instance, operatorVersion, plan, parameters, wishes, confirm, uid });
  return <CopyAsMenu what={`plan ${plan} of ${row.name}`} commands={commands} />;
}
