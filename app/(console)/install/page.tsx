import type { Metadata } from 'next';
import { InstallPage } from '@/components/install/install-page';
import { Seed } from '@/components/live/live-provider';
import { operatorRows, versionKeyFor } from '@/components/operators/catalogue-rows';
import { topics } from '@/lib/live/topic';
import { pageSession } from '@/server/auth/session';

export const metadata: Metadata = { title: 'Install' };
export const dynamic = 'force-dynamic';

interface Props {
  searchParams: Promise<{ [name: string]: string | string[] | undefined }>;
}

export default async function InstallRoute({ searchParams }: Props) {
  const { operator, version } = await searchParams;
  const { catalogue, seed } = await pageSession();
  const [frames, packages, broken] = await Promise.all([
    seed([topics.operatorVersions, topics.instanceRows, topics.namespaces]),
    catalogue.list(),
    catalogue.broken(),
  ]);
  const key =
    typeof version === 'string' ? versionKeyFor(operatorRows(packages, [], []), String(operator), version) : undefined;
  const chosen = packages.find((each) => each.name === operator && (version === undefined || each.key === key));
  const detail = chosen === undefined ? undefined : await catalogue.detail(chosen.name, chosen.key);
  return (
    <Seed frames={frames}>
      <InstallPage detail={detail} catalogue={{ packages, broken }} />
    </Seed>
  );
}
