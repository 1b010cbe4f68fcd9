import { ObjectFormTab } from '@/components/resources/object-tabs';
import { addressOfParams, type ObjectParams } from '@/components/resources/resource-path';

export const dynamic = 'force-dynamic';

export default async function ObjectFormPage({ params }: { params: Promise<ObjectParams> }) {
  return <ObjectFormTab address={addressOfParams(await params)} />;
}
