import { useMemo } from 'react';
import type { InstanceRow } from '@/components/instances/instance-row';
import { HISTORY_ANNOTATION, type RecordedRun, runHistory } from '@/lib/kudo/plan/run-history';

/** The recorded runs of an Instance, oldest first. They keep their identity until a run ends. */
export function useRunHistory({ instance }: Pick<InstanceRow, 'instance'>): readonly RecordedRun[] {
  const text = instance.metadata.annotations?.[HISTORY_ANNOTATION];
  return useMemo(
    () => (text === undefined ? [] : runHistory({ metadata: { annotations: { [HISTORY_ANNOTATION]: text } } })),
    [text],
  );
}
