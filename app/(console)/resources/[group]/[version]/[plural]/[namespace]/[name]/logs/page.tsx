import { notFound } from 'next/navigation';
import { PodLogsTab } from '@/components/pods/pod-logs-tab';
import { addressOfParams, type ObjectParams } from '@/components/resources/resource-path';

export const dynamic = 'force-dynamic';

export default async function ObjectLogsPage({ params }: { params: Promise<ObjectParams> }) {
  const address = addressOfParams(await params);
  if (address.type.group !== '' || address.type.resource !== 'pods') notFound();
  return <PodLogsTab address={address} />;
}
