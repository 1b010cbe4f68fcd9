import type { Metadata } from 'next';
import { Seed } from '@/components/live/live-provider';
import { decodePart } from '@/components/resources/resource-path';
import { SchedulePage } from '@/components/schedules/schedule-page';
import { topics } from '@/lib/live/topic';
import { pageSession } from '@/server/auth/session';

interface Props {
  params: Promise<{ namespace: string; name: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Schedule ${decodePart((await params).name)}` };
}

export default async function Page({ params }: Props) {
  const parts = await params;
  const [namespace, name] = [decodePart(parts.namespace), decodePart(parts.name)];
  const frames = await (await pageSession()).seed([{ ...topics.planSchedules, namespace, name }]);
  return (
    <Seed frames={frames}>
      <SchedulePage namespace={namespace} name={name} />
    </Seed>
  );
}
