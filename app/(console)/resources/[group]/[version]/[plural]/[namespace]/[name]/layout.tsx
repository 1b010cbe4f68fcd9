import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { Seed } from '@/components/live/live-provider';
import { ObjectShell } from '@/components/resources/object-shell';
import { addressOfParams, type ObjectParams } from '@/components/resources/resource-path';
import { topics } from '@/lib/live/topic';
import { pageSession } from '@/server/auth/session';

interface Props {
  params: Promise<ObjectParams>;
  children: ReactNode;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { type, name } = addressOfParams(await params);
  return { title: `${name} – ${type.resource}` };
}

export default async function ObjectLayout({ params, children }: Props) {
  const address = addressOfParams(await params);
  const { type, namespace, name } = address;
  const wanted = [
    { ...type, namespace: namespace || undefined, name },
    topics.events(namespace || 'default'),
    topics.crds,
  ];
  const frames = await (await pageSession()).seed(wanted);
  return (
    <Seed frames={frames}>
      <ObjectShell key={`${namespace}/${name}`} address={address}>
        {children}
      </ObjectShell>
    </Seed>
  );
}
