import type { Metadata } from 'next';
import { Seed } from '@/components/live/live-provider';
import { decodePart } from '@/components/resources/resource-path';
import { UpgradePage } from '@/components/upgrades/upgrade-page';
import { topics } from '@/lib/live/topic';
import { pageSession } from '@/server/auth/session';

interface Props {
  params: Promise<{ name: string }>;
  searchParams: Promise<{ namespace?: string | string[] }>;
}

export const dynamic = 'force-dynamic';

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Upgrade ${decodePart((await params).name)}` };
}

export default async function UpgradeRoute({ params, searchParams }: Props) {
  const [{ name }, { namespace }] = await Promise.all([params, searchParams]);
  const { catalogue, seed } = await pageSession();
  const live = [topics.operatorVersions, topics.instanceRows, topics.operatorUpgradeRows, topics.operatorSubscriptions];
  const [frames, packages, broken] = await Promise.all([seed(live), catalogue.list(), catalogue.broken()]);
  return (
    <Seed frames={frames}>
      <UpgradePage
        name={decodePart(name)}
        namespace={typeof namespace === 'string' ? namespace : undefined}
        catalogue={{ packages, broken }}
      />
    </Seed>
  );
}
