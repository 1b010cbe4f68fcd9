import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { Seed } from '@/components/live/live-provider';
import { operatorRows, versionKeyFor } from '@/components/operators/catalogue-rows';
import { OperatorPage } from '@/components/operators/operator-page';
import { operatorPath } from '@/components/operators/operator-path';
import { decodePart } from '@/components/resources/resource-path';
import { clusterPath } from '@/lib/clusters/cluster-path';
import type { OperatorVersion } from '@/lib/kudo/types';
import { snapshotOf } from '@/lib/live/frames';
import { topics } from '@/lib/live/topic';
import { pageCluster, pageSession } from '@/server/auth/session';

interface Props {
  params: Promise<{ name: string; version: string }>;
}

export const dynamic = 'force-dynamic';

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name, version } = await params;
  return { title: `${decodePart(name)} ${decodePart(version)}` };
}

export default async function OperatorRoute({ params }: Props) {
  const raw = await params;
  const [name, version] = [decodePart(raw.name), decodePart(raw.version)];
  const { catalogue, seed } = await pageSession();
  const [frames, packages, broken, detail] = await Promise.all([
    seed([topics.operatorVersions, topics.instanceRows, topics.operatorSubscriptions]),
    catalogue.list(),
    catalogue.broken(),
    catalogue.detail(name, version),
  ]);
  if (detail === undefined) {
    const installed = snapshotOf(frames, topics.operatorVersions) as readonly OperatorVersion[];
    const key = versionKeyFor(operatorRows(packages, installed, []), name, version);
    if (key !== undefined && key !== version) redirect(clusterPath(await pageCluster(), operatorPath(name, key)));
  }
  return (
    <Seed frames={frames}>
      <OperatorPage key={version} name={name} versionKey={version} detail={detail} catalogue={{ packages, broken }} />
    </Seed>
  );
}
