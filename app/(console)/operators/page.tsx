import type { Metadata } from 'next';
import { Seed } from '@/components/live/live-provider';
import { OperatorsPage } from '@/components/operators/operators-page';
import { topics } from '@/lib/live/topic';
import { pageSession } from '@/server/auth/session';

export const metadata: Metadata = { title: 'Operators' };
export const dynamic = 'force-dynamic';

export default async function OperatorsRoute() {
  const { catalogue, seed } = await pageSession();
  const [frames, packages, broken] = await Promise.all([
    seed([topics.operatorVersions, topics.instanceRows, topics.operatorSubscriptions]),
    catalogue.list(),
    catalogue.broken(),
  ]);
  return (
    <Seed frames={frames}>
      <OperatorsPage initial={{ packages, broken }} />
    </Seed>
  );
}
