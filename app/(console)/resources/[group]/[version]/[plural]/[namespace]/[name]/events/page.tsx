import { ObjectEventsTab } from '@/components/resources/object-tabs';
import { addressOfParams, type ObjectParams } from '@/components/resources/resource-path';

export const dynamic = 'force-dynamic';

export default async function ObjectEventsPage({ params }: { params: Promise<ObjectParams> }) {
  return <ObjectEventsTab address={addressOfParams(await params)} />;
}
