import { InstanceYamlTab } from '@/components/instances/instance-yaml-tab';

export default function Page() {
  return <InstanceYamlTab />;
}
