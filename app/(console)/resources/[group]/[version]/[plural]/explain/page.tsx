import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ExplainPage } from '@/components/resources/definition/explain-page';
import { findKind } from '@/components/resources/kind-sections';
import { type KindParams, typeOfParams } from '@/components/resources/resource-path';
import { pageSession } from '@/server/auth/session';

interface Props {
  params: Promise<KindParams>;
}

export const dynamic = 'force-dynamic';

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Fields of ${typeOfParams(await params).resource}` };
}

export default async function KindExplainPage({ params }: Props) {
  const session = await pageSession();
  const kind = findKind(await session.resources.kinds().catch(() => []), typeOfParams(await params));
  if (kind === undefined) notFound();
  return <ExplainPage kind={kind} />;
}
