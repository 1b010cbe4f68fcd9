import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { InstanceFrame } from '@/components/instances/instance-frame';
import { Seed } from '@/components/live/live-provider';
import type { Instance } from '@/lib/kudo/types';
import { instanceState } from '@/lib/kudo/view/instance-state';
import { instanceTitle } from '@/lib/kudo/view/instance-title';
import { activePlan, newestPlan } from '@/lib/kudo/view/plan-view';
import { topics } from '@/lib/live/topic';
import { pageSession } from '@/server/auth/session';

interface Props {
  params: Promise<{ namespace: string; name: string }>;
  children: ReactNode;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { namespace, name } = await decoded(params);
  const frames = await (await pageSession()).seed([{ ...topics.instances, namespace, name }]);
  const objects = frames.flatMap((frame) => (frame.type === 'snapshot' ? frame.objects : []));
  const found = objects.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
  if (found === undefined) return { title: name };
  const instance = found as Instance;
  const plans = { active: activePlan(instance, undefined), last: newestPlan(instance, undefined) };
  return { title: instanceTitle({ name, ...plans, state: instanceState(instance, plans, true) }, false) };
}

export default async function InstanceLayout({ params, children }: Props) {
  const { namespace, name } = await decoded(params);
  const frames = await (await pageSession()).seed([
    { ...topics.instances, namespace, name },
    topics.operatorVersions,
    topics.podsOf(namespace, name),
    topics.eventsOf(namespace, [name]),
    topics.planRunRowsOf(namespace, name),
    topics.planScheduleRowsOf(namespace, name),
  ]);
  return (
    <Seed frames={frames}>
      <InstanceFrame namespace={namespace} name={name}>
        {children}
      </InstanceFrame>
    </Seed>
  );
}

async function decoded(params: Props['params']): Promise<{ namespace: string; name: string }> {
  const { namespace, name } = await params;
  return { namespace: decodeURIComponent(namespace), name: decodeURIComponent(name) };
}
