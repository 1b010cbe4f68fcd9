import type { Metadata } from 'next';
import { Seed } from '@/components/live/live-provider';
import { CreatePage } from '@/components/resources/create-page';
import { findKind } from '@/components/resources/kind-sections';
import { topics } from '@/lib/live/topic';
import { pageSession } from '@/server/auth/session';

export const metadata: Metadata = { title: 'Create from YAML' };
export const dynamic = 'force-dynamic';

interface Props {
  searchParams: Promise<{ [name: string]: string | string[] | undefined }>;
}

export default async function CreateFromYamlPage({ searchParams }: Props) {
  const query = await searchParams;
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : undefined);
  const session = await pageSession();
  const [frames, kinds] = await Promise.all([session.seed([topics.crds]), session.resources.kinds().catch(() => [])]);
  const plural = text('plural');
  const kind =
    plural === undefined
      ? undefined
      : findKind(kinds, { group: text('group') ?? '', version: text('version') ?? '', resource: plural });
  return (
    <Seed frames={frames}>
      <CreatePage kind={kind} namespace={text('namespace')} initialKinds={kinds} />
    </Seed>
  );
}
