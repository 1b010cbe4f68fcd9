import { ObjectYamlTab } from '@/components/resources/object-tabs';
import { addressOfParams, type ObjectParams } from '@/components/resources/resource-path';

export const dynamic = 'force-dynamic';

export default async function ObjectYamlPage({ params }: { params: Promise<ObjectParams> }) {
  return <ObjectYamlTab address={addressOfParams(await params)} />;
}
