'use client';

import dynamic from 'next/dynamic';
import { type ComponentProps, useState } from 'react';
import { loadPart } from '@/components/ui/load-part';
import type { VersionDialog as Dialog } from './version-dialog';

const VersionDialog = dynamic(() => loadPart(() => import('./version-dialog')).then((module) => module.VersionDialog), {
  ssr: false,
});

/** The dialog for another version, loaded when it is first opened: it needs the code that reads parameters. */
export function LazyVersionDialog(props: ComponentProps<typeof Dialog>) {
  const [wasOpened, setWasOpened] = useState(false);
  if (props.open && !wasOpened) setWasOpened(true);
  return props.open || wasOpened ? <VersionDialog {...props} /> : null;
}
