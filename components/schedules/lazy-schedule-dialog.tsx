'use client';

import dynamic from 'next/dynamic';
import { type ComponentProps, useState } from 'react';
import { loadPart } from '@/components/ui/load-part';
import type { ScheduleDialog as FormDialog } from './schedule-dialog';

const ScheduleDialog = dynamic(
  () => loadPart(() => import('./schedule-dialog')).then((module) => module.ScheduleDialog),
  {
    ssr: false,
  },
);

/** The form of a schedule, loaded when it is first opened. */
export function LazyScheduleDialog(props: ComponentProps<typeof FormDialog>) {
  const [wasOpened, setWasOpened] = useState(false);
  if (props.open && !wasOpened) setWasOpened(true);
  return props.open || wasOpened ? <ScheduleDialog {...props} /> : null;
}
