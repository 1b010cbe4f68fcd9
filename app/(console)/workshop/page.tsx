import type { Metadata } from 'next';
import { Seed } from '@/components/live/live-provider';
import { WorkshopPage } from '@/components/workshop/workshop-page';
import { topics } from '@/lib/live/topic';
import { pageSession } from '@/server/auth/session';

export const metadata: Metadata = { title: 'Workshop' };
export const dynamic = 'force-dynamic';

interface Props {
  searchParams: Promise<{ [name: string]: string | string[] | undefined }>;
}

export default async function WorkshopRoute({ searchParams }: Props) {
  const { draft, fork, version } = await searchParams;
  const { catalogue, seed, cluster } = await pageSession();
  const [frames, packages] = await Promise.all([
    seed([topics.operatorVersions, topics.instanceRows, topics.namespaces]),
    catalogue.list(),
  ]);
  return (
    <Seed frames={frames}>
      <WorkshopPage
        draft={typeof draft === 'string' ? draft : undefined}
        fork={typeof fork === 'string' && typeof version === 'string' ? { name: fork, key: version } : undefined}
        packages={packages}
        target={{ isSandbox: cluster.isSandbox, name: cluster.isSandbox ? 'sandbox' : cluster.context }}
      />
    </Seed>
  );
}
