import type { Metadata } from 'next';
import { Seed } from '@/components/live/live-provider';
import { RunPage } from '@/components/runs/run-page';
import { topics } from '@/lib/live/topic';
import { pageSession } from '@/server/auth/session';

interface Props {
  params: Promise<{ namespace: string; name: string; run: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Run ${decodeURIComponent((await params).run)}` };
}

export default async function Page({ params }: Props) {
  const all = await params;
  const [namespace, run] = [decodeURIComponent(all.namespace), decodeURIComponent(all.run)];
  const frames = await pageSession().seed([{ ...topics.planRuns, namespace, name: run }]);
  return (
    <Seed frames={frames}>
      <RunPage namespace={namespace} name={run} />
    </Seed>
  );
}
