import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Seed } from '@/components/live/live-provider';
import { ComparePage } from '@/components/runs/compare/compare-page';
import { topics } from '@/lib/live/topic';
import { pageSession } from '@/server/auth/session';

interface Props {
  params: Promise<{ namespace: string; name: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Compare runs of ${decodeURIComponent((await params).name)}` };
}

export default async function Page({ params }: Props) {
  const { namespace, name } = await params;
  const [space, instance] = [decodeURIComponent(namespace), decodeURIComponent(name)];
  const frames = await (await pageSession()).seed([
    { ...topics.planRuns, namespace: space, of: [instance] },
    { ...topics.instances, namespace: space, name: instance },
    topics.operatorVersions,
  ]);
  return (
    <Seed frames={frames}>
      <Suspense>
        <ComparePage key={`${space}/${instance}`} namespace={space} instance={instance} />
      </Suspense>
    </Seed>
  );
}
