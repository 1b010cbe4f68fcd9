import { YamlTab } from '@/components/instances/yaml-tab';

export default function Page() {
  return <YamlTab />;
}
