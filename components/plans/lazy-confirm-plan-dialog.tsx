'use client';

import dynamic from 'next/dynamic';
import { type ComponentProps, useState } from 'react';
import { loadPart } from '@/components/ui/load-part';
import type { ConfirmPlanDialog as Dialog } from './confirm-plan-dialog';

const ConfirmPlanDialog = dynamic(
  () => loadPart(() => import('./confirm-plan-dialog')).then((module) => module.ConfirmPlanDialog),
  {
    ssr: false,
  },
);

/** The confirmation of a plan, loaded when it is first opened. */
export function LazyConfirmPlanDialog(props: ComponentProps<typeof Dialog>) {
  const [wasOpened, setWasOpened] = useState(false);
  if (props.open && !wasOpened) setWasOpened(true);
  return props.open || wasOpened ? <ConfirmPlanDialog {...props} /> : null;
}
