import { useMemo } from 'react';
import { HISTORY_ANNOTATION, type RecordedRun, runHistory } from '@/lib/kudo/plan/run-history';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';

/** The recorded runs of an Instance, oldest first. The list is the same array until another run ends. */
export function useRunHistory({ instance }: Pick<InstanceRow, 'instance'>): readonly RecordedRun[] {
  const text = instance.metadata.annotations?.[HISTORY_ANNOTATION];
  return useMemo(
    () => (text === undefined ? [] : runHistory({ metadata: { annotations: { [HISTORY_ANNOTATION]: text } } })),
    [text],
  );
}
