import { SpecFormTab } from '@/components/resources/own-kinds/spec-form-tab';
import { addressOfParams, type ObjectParams } from '@/components/resources/resource-path';

export const dynamic = 'force-dynamic';

export default async function ObjectFormPage({ params }: { params: Promise<ObjectParams> }) {
  return <SpecFormTab address={addressOfParams(await params)} />;
}
