import { ResourcesTab } from '@/components/instances/resources-tab';

export default function Page() {
  return <ResourcesTab />;
}
