import { useInstanceView } from '@/components/instance-view/instance-context';
import type { Plan } from '@/lib/kudo/types';
import type { RunRow } from '@/lib/kudo/view/run-row';

/** The plan as the version of the run has it; undefined after a change of the version. */
export function usePlanOfRun({ plan, run }: RunRow): Plan | undefined {
  const { row } = useInstanceView();
  const version = row?.operatorVersionObject;
  const isOfRun = version !== undefined && version.metadata.name === run.status?.operatorVersion;
  return isOfRun ? version.spec?.plans?.[plan] : undefined;
}
