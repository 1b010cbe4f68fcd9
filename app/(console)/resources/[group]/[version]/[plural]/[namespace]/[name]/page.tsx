import { ObjectOverview } from '@/components/resources/object-overview';
import { addressOfParams, type ObjectParams } from '@/components/resources/resource-path';

export const dynamic = 'force-dynamic';

export default async function ObjectPage({ params }: { params: Promise<ObjectParams> }) {
  return <ObjectOverview address={addressOfParams(await params)} />;
}
