'use client';

import { useQuery } from '@tanstack/react-query';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { request } from '@/components/live/request';
import { instanceApiPath } from '@/lib/kudo/view/instance-path';
import type { StepExplanation } from '@/lib/kudo/view/step-explanation';

/** The step to explain; `version` changes with each attempt, which may fail for another reason. */
export interface ExplainedPlace {
  readonly step?: { readonly plan: string; readonly phase: string; readonly step: string };
  readonly version: string;
}

/** Why a step (without one: the Instance) is not ready; undefined until the answer is there, and when nothing is asked. */
export function useExplanation(place: ExplainedPlace | undefined): StepExplanation | undefined {
  const { namespace, name } = useInstanceView();
  const query = place?.step === undefined ? '' : `?${new URLSearchParams({ ...place.step })}`;
  const { data } = useQuery({
    queryKey: ['explain', namespace, name, query, place?.version],
    queryFn: ({ signal }) => request<StepExplanation>(instanceApiPath(namespace, name, `explain${query}`), { signal }),
    placeholderData: (previous) => previous,
    enabled: place !== undefined,
  });
  return place === undefined ? undefined : data;
}
