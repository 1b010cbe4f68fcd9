'use client';

import dynamic from 'next/dynamic';
import { type ComponentProps, useState } from 'react';
import { loadPart } from '@/components/ui/load-part';
import type { DeleteInstanceDialog as Dialog } from './delete-instance-dialog';

const DeleteInstanceDialog = dynamic(
  () => loadPart(() => import('./delete-instance-dialog')).then((module) => module.DeleteInstanceDialog),
  { ssr: false },
);

/** The deletion dialog, loaded when it is first opened. */
export function LazyDeleteDialog(props: ComponentProps<typeof Dialog>) {
  const [wasOpened, setWasOpened] = useState(false);
  if (props.open && !wasOpened) setWasOpened(true);
  return props.open || wasOpened ? <DeleteInstanceDialog {...props} /> : null;
}
