import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Seed } from '@/components/live/live-provider';
import { SchedulesPage } from '@/components/schedules/schedules-page';
import { topics } from '@/lib/live/topic';
import { pageSession } from '@/server/auth/session';

export const metadata: Metadata = { title: 'Schedules' };

export default async function Page() {
  const frames = await (await pageSession()).seed([topics.planScheduleRows, topics.planRunRows]);
  return (
    <Seed frames={frames}>
      <Suspense>
        <SchedulesPage />
      </Suspense>
    </Seed>
  );
}
