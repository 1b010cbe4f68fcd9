'use client';

import { createContext, type ReactNode, useContext, useMemo, useRef } from 'react';
import { useObject } from '@/components/live/use-topic';
import { useTopicWithin } from '@/components/shell/use-topic-within';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { type InstanceRow, instanceRow } from '@/lib/kudo/view/instance-row';
import { driftedState } from '@/lib/kudo/view/instance-state';
import { liveKey } from '@/lib/live/frames';
import { topics } from '@/lib/live/topic';
import { useAcceptedState } from './accepted-edit';
import { type DriftState, useDrift } from './use-drift';

/** What every tab on the page of an Instance shares. */
export interface InstanceView {
  readonly namespace: string;
  readonly name: string;
  readonly status: 'loading' | 'ready' | 'forbidden' | 'missing' | 'failed';
  readonly message?: string;
  /** The last known state; it is kept after the Instance was deleted, so that the page can still be read. */
  readonly row: InstanceRow | undefined;
  /** True when the Instance was deleted. */
  readonly deleted: boolean;
  /** Objects that differ from what the last plans applied, and leftovers of earlier plans. */
  readonly drift: DriftState;
}

const InstanceContext = createContext<InstanceView | undefined>(undefined);

/** Watches one Instance for all tabs of its page. */
export function InstanceProvider({
  namespace,
  name,
  children,
}: {
  namespace: string;
  name: string;
  children: ReactNode;
}) {
  const { status, object, last: ended, deleted, message } = useObject(topics.instances, namespace, name);
  const versions = useTopicWithin(topics.operatorVersions, namespace);
  const last = useRef<InstanceRow>(undefined);
  const shown = object ?? ended;
  const known = useMemo(() => {
    if (shown === undefined) return last.current;
    const byKey = new Map(versions.objects.map((version) => [liveKey(version), version as OperatorVersion]));
    last.current = instanceRow(shown as Instance, byKey, versions.status === 'ready');
    return last.current;
  }, [shown, versions]);
  const accepted = useAcceptedState(known?.instance);
  const drift = useDrift({ namespace, name }, deleted ? undefined : known?.instance.metadata.resourceVersion);
  const drifted = drift.report?.drifted.length ?? 0;
  const row = useMemo(
    () => known && { ...known, state: accepted ?? driftedState(known.state, drifted) },
    [known, accepted, drifted],
  );
  const view = useMemo<InstanceView>(
    () => ({ namespace, name, status, row, deleted, drift, ...(message === undefined ? {} : { message }) }),
    [namespace, name, status, row, deleted, drift, message],
  );
  return <InstanceContext value={view}>{children}</InstanceContext>;
}

/** The Instance of the page. @throws Error outside of {@link InstanceProvider} */
export function useInstanceView(): InstanceView {
  const view = useContext(InstanceContext);
  if (view === undefined) throw new Error('useInstanceView is used outside of <InstanceProvider>.');
  return view;
}
