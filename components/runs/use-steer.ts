'use client';

import { useMutation } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { showToast } from '@/components/ui/toast';
import type { SteerWish } from '@/lib/kudo/runs/steer';
import type { RunRow } from '@/lib/kudo/view/run-row';

const DONE: { readonly [wish in SteerWish['do']]: string } = {
  pause: 'No further step begins until the run is resumed',
  resume: 'The run goes on',
  cancel: 'The run ends after the task that runs now',
  skip: 'The step counts as done',
  'stop-after': 'The run is held after that phase',
};

/** Steers a run, and reports the result in a toast. */
export function useSteer({ namespace, name }: Pick<RunRow, 'namespace' | 'name'>) {
  return useMutation({
    mutationFn: (wish: SteerWish) =>
      request(`/api/runs/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`, {
        method: 'PATCH',
        body: wish,
      }),
    onSuccess: (_answer, wish) => showToast({ tone: 'ok', title: DONE[wish.do] }),
    onError: (error) => showToast({ tone: 'fail', title: `Run ${name} was not changed`, detail: error.message }),
  });
}
