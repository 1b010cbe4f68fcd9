import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import { Seed } from '@/components/live/live-provider';
import { findKind } from '@/components/resources/kind-sections';
import { ResourceListPage } from '@/components/resources/list-page';
import { type KindParams, typeOfParams } from '@/components/resources/resource-path';
import { parsePreferences } from '@/components/shell/preference-cookies';
import { pageSession } from '@/server/auth/session';

/** The page is rendered with these; the browser asks for the rest. */
const FIRST_ROWS = 100;

interface Props {
  params: Promise<KindParams>;
}

export const dynamic = 'force-dynamic';

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: typeOfParams(await params).resource };
}

export default async function KindListPage({ params }: Props) {
  const type = typeOfParams(await params);
  const jar = await cookies();
  const session = await pageSession();
  const kind = findKind(await session.resources.kinds().catch(() => []), type);
  const scope = parsePreferences((name) => jar.get(name)?.value, await session.firstNamespace()).namespace;
  const namespace = kind?.namespaced === false ? undefined : scope;
  const table = await session.resources.table({ ...type, namespace }, { limit: FIRST_ROWS }).catch(() => undefined);
  // A long list is not waited for: its first rows are drawn, and the stream brings the rest.
  const frames = table?.next === undefined ? await session.seed([{ ...type, namespace, view: 'rows' }]) : [];
  return (
    <Seed frames={frames}>
      <ResourceListPage type={type} kind={kind} initial={table} />
    </Seed>
  );
}
