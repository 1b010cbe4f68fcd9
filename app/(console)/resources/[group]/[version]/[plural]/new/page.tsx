import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Seed } from '@/components/live/live-provider';
import { findKind } from '@/components/resources/kind-sections';
import { NewResourcePage } from '@/components/resources/own-kinds/new-resource-page';
import { type KindParams, typeOfParams } from '@/components/resources/resource-path';
import { topics } from '@/lib/live/topic';
import { pageSession } from '@/server/auth/session';

interface Props {
  params: Promise<KindParams>;
  searchParams: Promise<{ [name: string]: string | string[] | undefined }>;
}

export const dynamic = 'force-dynamic';

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `New ${typeOfParams(await params).resource}` };
}

export default async function NewOwnResourcePage({ params, searchParams }: Props) {
  const type = typeOfParams(await params);
  const { namespace } = await searchParams;
  const session = await pageSession();
  const [frames, kinds] = await Promise.all([
    session.seed([topics.namespaces]),
    session.resources.kinds().catch(() => []),
  ]);
  const kind = findKind(kinds, type);
  if (kind === undefined) notFound();
  return (
    <Seed frames={frames}>
      <NewResourcePage kind={kind} initialNamespace={typeof namespace === 'string' ? namespace : undefined} />
    </Seed>
  );
}
