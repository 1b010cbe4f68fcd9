'use client';

import dynamic from 'next/dynamic';
import { type ComponentProps, useState } from 'react';
import { loadPart } from '@/components/ui/load-part';
import type { ReviewDialog as Dialog } from './review-dialog';

const ReviewDialog = dynamic(() => loadPart(() => import('./review-dialog')).then((module) => module.ReviewDialog), {
  ssr: false,
});

/** The review of an edit, loaded when it is first opened. */
export function LazyReviewDialog(props: ComponentProps<typeof Dialog>) {
  const [wasOpened, setWasOpened] = useState(false);
  if (props.open && !wasOpened) setWasOpened(true);
  return props.open || wasOpened ? <ReviewDialog {...props} /> : null;
}
