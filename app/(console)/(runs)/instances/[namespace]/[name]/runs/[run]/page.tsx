import type { Metadata } from 'next';
import { Seed } from '@/components/live/live-provider';
import { RunPage } from '@/components/runs/run-page';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { runTitle } from '@/lib/kudo/view/instance-title';
import { runRow } from '@/lib/kudo/view/run-row';
import { snapshotOf } from '@/lib/live/frames';
import { topics } from '@/lib/live/topic';
import { pageSession } from '@/server/auth/session';

// Not below the layout of the Instance: a run is kept when its Instance is gone.

interface Props {
  params: Promise<{ namespace: string; name: string; run: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { namespace, run } = await decoded(params);
  const topic = { ...topics.planRuns, namespace, name: run };
  const [found] = snapshotOf(await (await pageSession()).seed([topic]), topic);
  return { title: found === undefined ? `Run ${run}` : runTitle(runRow(found as PlanRun)) };
}

export default async function Page({ params }: Props) {
  const { namespace, name, run } = await decoded(params);
  const frames = await (await pageSession()).seed(
    [{ ...topics.planRuns, namespace, name: run }, { ...topics.instances, namespace, name }, topics.operatorVersions],
    [topics.planRunRowsOf(namespace, name), topics.eventsOf(namespace, [name])],
  );
  return (
    <Seed frames={frames}>
      <RunPage key={`${namespace}/${run}`} namespace={namespace} instance={name} name={run} />
    </Seed>
  );
}

async function decoded(params: Props['params']) {
  const { namespace, name, run } = await params;
  const [space, instance, planRun] = [namespace, name, run].map(decodeURIComponent) as [string, string, string];
  return { namespace: space, name: instance, run: planRun };
}
