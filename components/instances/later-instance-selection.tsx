'use client';

import dynamic from 'next/dynamic';
import { type ComponentProps, useSyncExternalStore } from 'react';
import { loadPart } from '@/components/ui/load-part';
import type { InstanceSelection as Selection } from './instance-selection';

const InstanceSelection = dynamic(
  () => loadPart(() => import('./instance-selection')).then((module) => module.InstanceSelection),
  {
    ssr: false,
  },
);

/** What can be done with selected Instances, loaded when the first one is selected. */
export function LaterInstanceSelection(props: ComponentProps<typeof Selection>) {
  const { selection } = props;
  const changes = useSyncExternalStore(selection.subscribe, selection.version, () => 0);
  return changes === 0 ? null : <InstanceSelection {...props} />;
}
