import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Seed } from '@/components/live/live-provider';
import { RunsPage } from '@/components/runs/runs-page';
import { topics } from '@/lib/live/topic';
import { pageSession } from '@/server/auth/session';

export const metadata: Metadata = { title: 'Runs' };

export default async function Page() {
  const frames = await (await pageSession()).seed([topics.planRunRows, topics.planApprovals]);
  return (
    <Seed frames={frames}>
      <Suspense>
        <RunsPage />
      </Suspense>
    </Seed>
  );
}
