import { notFound } from 'next/navigation';
import { PodTerminalTab } from '@/components/pods/pod-terminal-tab';
import { addressOfParams, type ObjectParams } from '@/components/resources/resource-path';

export const dynamic = 'force-dynamic';

export default async function ObjectTerminalPage({ params }: { params: Promise<ObjectParams> }) {
  const address = addressOfParams(await params);
  if (address.type.group !== '' || address.type.resource !== 'pods') notFound();
  return <PodTerminalTab address={address} />;
}
