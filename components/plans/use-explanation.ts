'use client';

import { useQuery } from '@tanstack/react-query';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { request } from '@/components/live/request';
import { diagnosisOf } from '@/lib/kudo/view/diagnosis';
import { instanceApiPath } from '@/lib/kudo/view/instance-path';
import type { StepExplanation } from '@/lib/kudo/view/step-explanation';

/** The step to explain; `version` changes with each attempt, which may fail for another reason. */
export interface ExplainedPlace {
  readonly step?: { readonly plan: string; readonly phase: string; readonly step: string };
  readonly version: string;
}

// The pod, its events or the end of its log may reach the API server after the status of the step does.
const LOOK_AGAIN_MS = 2_000;
const MOST_LOOKS = 10;

/** Why a step (without one: the Instance) is not ready; undefined until the answer is there, and when nothing is asked. */
export function useExplanation(place: ExplainedPlace | undefined): StepExplanation | undefined {
  const { namespace, name } = useInstanceView();
  const query = place?.step === undefined ? '' : `?${new URLSearchParams({ ...place.step })}`;
  const { data } = useQuery({
    queryKey: ['explain', namespace, name, query, place?.version],
    queryFn: ({ signal }) => request<StepExplanation>(instanceApiPath(namespace, name, `explain${query}`), { signal }),
    placeholderData: (previous) => previous,
    refetchInterval: ({ state: { data, dataUpdateCount, errorUpdateCount } }) => {
      const isExplained = data !== undefined && diagnosisOf(data) !== undefined;
      return isExplained || dataUpdateCount + errorUpdateCount >= MOST_LOOKS ? false : LOOK_AGAIN_MS;
    },
    enabled: place !== undefined,
  });
  return place === undefined ? undefined : data;
}
