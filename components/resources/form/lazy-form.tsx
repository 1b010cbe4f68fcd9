'use client';

import dynamic from 'next/dynamic';
import { loadPart } from '@/components/ui/load-part';
import { SkeletonRows } from '@/components/ui/skeleton';

/** The form of an object with its schemas, rules and editor of YAML, loaded only where it is shown. */
export const LazyObjectForm = dynamic(() => loadPart(() => import('./object-form')), {
  ssr: false,
  loading: () => <SkeletonRows rows={6} />,
});
