import type { Metadata } from 'next';
import { Suspense } from 'react';
import { UsagePage } from '@/components/usage/usage-page';

export const metadata: Metadata = { title: 'Usage' };

export default function Page() {
  return (
    <Suspense>
      <UsagePage />
    </Suspense>
  );
}
