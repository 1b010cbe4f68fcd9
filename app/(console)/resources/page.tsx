import type { Metadata } from 'next';
import { Seed } from '@/components/live/live-provider';
import { KindsPage } from '@/components/resources/kinds-page';
import { topics } from '@/lib/live/topic';
import { pageSession } from '@/server/auth/session';

export const metadata: Metadata = { title: 'Resources' };
export const dynamic = 'force-dynamic';

export default async function ResourcesPage() {
  const session = await pageSession();
  const [frames, served] = await Promise.all([
    session.seed([topics.crds]),
    session.resources.served().catch(() => ({ kinds: [], unavailable: [] })),
  ]);
  return (
    <Seed frames={frames}>
      <KindsPage initial={served} />
    </Seed>
  );
}
