import type { Metadata } from 'next';
import { Suspense } from 'react';
import { RolesPage } from '@/components/roles/roles-page';

export const metadata: Metadata = { title: 'Roles' };

export default function Page() {
  return (
    <Suspense>
      <RolesPage />
    </Suspense>
  );
}
