import { ResourcesTab } from '@/components/instances/resources-tab';
import { pageSession } from '@/server/auth/session';

export const dynamic = 'force-dynamic';

export default async function ResourcesPage() {
  const session = await pageSession();
  return <ResourcesTab kinds={await session.resources.kinds().catch(() => undefined)} />;
}
