import { useMemo } from 'react';
import { create } from 'zustand';
import type { Instance } from '@/lib/kudo/types';
import { type InstanceState, stateOf } from '@/lib/kudo/view/instance-state';

interface Accepted {
  readonly plan: string;
  /** Of the Instance that the person saw when it was accepted: any later one tells by itself what came of it. */
  readonly resourceVersion: string;
}

/** What the server accepted and the stream has not brought yet, by uid of the Instance. */
const useAccepted = create<{ readonly byUid: { readonly [uid: string]: Accepted } }>()(() => ({ byUid: {} }));

/** Notes that the server accepted something that starts a plan. */
export function noteAccepted(instance: Instance, plan: string): void {
  const { uid = '', resourceVersion = '' } = instance.metadata;
  useAccepted.setState(({ byUid }) => ({ byUid: { ...byUid, [uid]: { plan, resourceVersion } } }));
}

/** The state to show until the stream brings the accepted change: nothing on the page goes on saying "Done" of the plan before. */
export function useAcceptedState(instance: Instance | undefined): InstanceState | undefined {
  const { uid = '', resourceVersion } = instance?.metadata ?? {};
  const accepted = useAccepted((state) => state.byUid[uid]);
  const plan = accepted?.resourceVersion === resourceVersion ? accepted?.plan : undefined;
  return useMemo(
    () => (plan === undefined ? undefined : stateOf('PENDING', `accepted, plan ${plan} starts soon`, 'Starting')),
    [plan],
  );
}
