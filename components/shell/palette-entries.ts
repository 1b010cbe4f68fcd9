import { instancePath } from '@/components/instances/instance-path';
import type { InstanceRow } from '@/components/instances/instance-row';

export interface PaletteEntry {
  readonly label: string;
  readonly kind: string;
  readonly href: string;
}

const pages: readonly PaletteEntry[] = [
  { label: 'Overview', kind: 'Page', href: '/' },
  { label: 'Instances', kind: 'Page', href: '/instances' },
  { label: 'Operators', kind: 'Page', href: '/operators' },
  { label: 'Install an operator', kind: 'Page', href: '/install' },
  { label: 'Resources', kind: 'Page', href: '/resources' },
];

const tabs = ['parameters', 'plans', 'resources', 'logs', 'events', 'yaml'] as const;
const MOST = 12;

/**
 * Pages and instances whose name holds every word of the query; with a tab's name among the words, that tab of the
 * instances. At most 12, names that begin with the query first.
 */
export function findEntries(query: string, rows: readonly Pick<InstanceRow, 'namespace' | 'name'>[]): PaletteEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const instances = rows.flatMap(({ namespace, name }): PaletteEntry[] => [
    { label: name, kind: `Instance in ${namespace}`, href: instancePath(namespace, name) },
    ...tabs
      .filter((tab) => words.some((word) => word.length > 1 && tab.startsWith(word)))
      .map((tab) => ({
        label: `${name} ${tab}`,
        kind: `Instance in ${namespace}`,
        href: instancePath(namespace, name, tab),
      })),
  ]);
  const matches = (entry: PaletteEntry) => words.every((word) => entry.label.toLowerCase().includes(word));
  const begins = (entry: PaletteEntry) => entry.label.toLowerCase().startsWith(words[0] ?? '');
  const found = [...pages, ...instances].filter(matches);
  return [...found.filter(begins), ...found.filter((entry) => !begins(entry))].slice(0, MOST);
}
