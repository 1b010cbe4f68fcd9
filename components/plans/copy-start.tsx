import { useMemo } from 'react';
import { CopyAsMenu } from '@/components/ui/copy-as-menu';
import { startCommands } from '@/lib/kudo/commands/start-commands';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { randomUuid, systemRandom } from '@/lib/random/random';
import type { PlanToStart } from './use-run-plan';

/** Copies the start of a plan as a command. */
export function CopyStart({ row, start }: { row: InstanceRow; start: PlanToStart }) {
  const { plan, parameters = {}, confirm, ...wishes } = start;
  const uid = useMemo(() => randomUuid(systemRandom), []);
  const { instance, operatorVersionObject: operatorVersion } = row;
  const commands = startCommands({ instance, operatorVersion, plan, parameters, wishes, confirm, uid });
  return <CopyAsMenu what={`plan ${plan} of ${row.name}`} commands={commands} />;
}
