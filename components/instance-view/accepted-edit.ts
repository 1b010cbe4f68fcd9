import { useMemo } from 'react';
import { create } from 'zustand';
import type { Instance } from '@/lib/kudo/types';
import { type InstanceState, stateOf } from '@/lib/kudo/view/instance-state';

interface Accepted {
  readonly plan: string;
  /** Of the Instance when the change was sent; a later version shows the result itself. */
  readonly resourceVersion: string;
}

/** Changes that the server accepted and the stream has not shown yet, by uid of the Instance. */
const useAccepted = create<{ readonly byUid: { readonly [uid: string]: Accepted } }>()(() => ({ byUid: {} }));

/**
 * Records that the server accepted a change that starts a plan. `before` is the Instance as it was when the change was sent: the stream may
 * have shown the plan's end when the answer arrives, and then there is nothing to wait for.
 */
export function noteAccepted(before: Instance, plan: string): void {
  const { uid = '', resourceVersion = '' } = before.metadata;
  useAccepted.setState(({ byUid }) => ({ byUid: { ...byUid, [uid]: { plan, resourceVersion } } }));
}

/** The state to show until the stream brings the accepted change, so that the page does not show the end of the previous plan. */
export function useAcceptedState(instance: Instance | undefined): InstanceState | undefined {
  const { uid = '', resourceVersion } = instance?.metadata ?? {};
  const accepted = useAccepted((state) => state.byUid[uid]);
  const plan = accepted?.resourceVersion === resourceVersion ? accepted?.plan : undefined;
  return useMemo(
    () => (plan === undefined ? undefined : stateOf('PENDING', `accepted, plan ${plan} starts soon`, 'Starting')),
    [plan],
  );
}
