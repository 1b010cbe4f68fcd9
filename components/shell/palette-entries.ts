import { installPath, operatorPath } from '@/components/operators/operator-path';
import { kindHref, newHref } from '@/components/resources/resource-path';
import type { ClusterMatch } from '@/lib/clusters/cluster-info';
import { type KindSummary, resourceName } from '@/lib/kube/kinds';
import { planTitle } from '@/lib/kudo/names';
import type { PackageSummary } from '@/lib/kudo/package/catalogue';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { ownPlans, planTitleOf } from '@/lib/kudo/view/plan-availability';
import type { Theme } from './preference-cookies';

/** What choosing an entry does: goes somewhere, or changes a preference. Nothing in the palette changes the cluster at once. */
export type PaletteGoal =
  | { readonly to: 'page'; readonly href: string }
  | { readonly to: 'cluster'; readonly address: string }
  | { readonly to: 'theme'; readonly theme: Theme }
  | { readonly to: 'namespace'; readonly namespace: string | undefined };

export interface PaletteEntry {
  readonly key: string;
  readonly label: string;
  /** What it is, in a word or two, beside the label. */
  readonly kind: string;
  readonly goal: PaletteGoal;
  /** Other words that find it. */
  readonly also?: string;
}

/** What there is to be found. */
export interface PaletteSources {
  readonly instances: readonly Pick<InstanceRow, 'namespace' | 'name' | 'operatorVersionObject'>[];
  readonly packages: readonly Pick<PackageSummary, 'name' | 'key'>[];
  readonly kinds: readonly KindSummary[];
  readonly namespaces: readonly string[];
  /** What can be done with the object whose page is open. */
  readonly actions?: readonly PaletteEntry[];
  /** What the server found in other clusters for this query. */
  readonly elsewhere?: readonly ClusterMatch[];
}

const page = (label: string, href: string, also = ''): PaletteEntry => ({
  key: href,
  label,
  kind: 'Page',
  goal: { to: 'page', href },
  also,
});

const pages: readonly PaletteEntry[] = [
  page('Overview', '/', 'home'),
  page('Instances', '/instances'),
  page('Runs', '/runs', 'history plans records'),
  page('Schedules', '/schedules', 'cron calendar times backups'),
  page('Operators', '/operators', 'catalogue packages'),
  page('Install an operator', '/install'),
  page('Workshop', '/workshop', 'package editor draft fork new operator yaml templates'),
  page('Resources', '/resources', 'kinds'),
  page('Repositories', '/repositories', 'oci registry index packages sources signatures mirror'),
  page('Activity', '/activity', 'audit log who did what sign-ins export'),
  page('Usage', '/usage', 'hours meter billing month cost csv'),
  page('Roles', '/roles', 'rbac rights permissions who may'),
  page('Clusters', '/clusters', 'contexts kubeconfig switch add remove'),
  page('Settings', '/settings', 'preferences theme contrast density time zone notifications'),
  page('Status', '/status', 'health support versions leader watches errors'),
  page('Create from YAML', '/resources/create', 'apply object'),
];

const themes: readonly PaletteEntry[] = (['light', 'dark', 'system'] as const).map((theme) => ({
  key: `theme ${theme}`,
  label: theme === 'system' ? 'Theme as the system' : `${planTitle(theme)} theme`,
  kind: 'Setting',
  goal: { to: 'theme', theme },
}));

const tabs = ['parameters', 'plans', 'resources', 'logs', 'events', 'yaml'] as const;
const MOST = 19;
const MOST_ELSEWHERE = 8;

/**
 * Everything whose words hold every word of the query: pages, instances, operators, kinds, and what can be done. Tabs and actions
 * of an Instance come only when one of their words is typed. At most 16; what begins with the query comes first. What other clusters
 * have comes last.
 */
export function findEntries(query: string, sources: PaletteSources): PaletteEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const all = [
    ...(words.length === 0 ? [] : (sources.actions ?? [])),
    ...pages,
    ...sources.instances.flatMap((row) => instanceEntries(row, words)),
    ...packageEntries(sources.packages),
    ...(words.length === 0 ? [] : [...sources.kinds.flatMap(kindEntries), ...themes, ...scopes(sources.namespaces)]),
  ];
  const matches = ({ label, kind, also = '' }: PaletteEntry) => {
    const text = `${label} ${kind} ${also}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const rank = ({ label }: PaletteEntry) => {
    const text = label.toLowerCase();
    return text.startsWith(words.join(' ')) ? 0 : text.includes(words[0] ?? '') ? 1 : 2;
  };
  const found = all.filter(matches);
  const here = [0, 1, 2].flatMap((wanted) => found.filter((entry) => rank(entry) === wanted)).slice(0, MOST);
  return [...here, ...(sources.elsewhere ?? []).slice(0, MOST_ELSEWHERE).map(elsewhereEntry)];
}

/** The server has chosen by the query already. */
function elsewhereEntry({ cluster, title, kind, namespace, name, path }: ClusterMatch): PaletteEntry {
  return {
    key: `cluster ${cluster} ${path}`,
    label: name,
    kind: `${kind} in ${namespace}, cluster ${title}`,
    goal: { to: 'cluster', address: path },
  };
}

function instanceEntries(row: PaletteSources['instances'][number], words: readonly string[]): PaletteEntry[] {
  const { namespace, name } = row;
  const isTyped = (text: string) =>
    words.some(
      (word) =>
        word.length > 1 &&
        text
          .toLowerCase()
          .split(' ')
          .some((part) => part.startsWith(word)),
    );
  const entry = (label: string, kind: string, href: string): PaletteEntry => ({
    key: href,
    label,
    kind: `${kind} in ${namespace}`,
    goal: { to: 'page', href },
  });
  const ask = (what: string) => `${instancePath(namespace, name)}?ask=${encodeURIComponent(what)}`;
  return [
    entry(name, 'Instance', instancePath(namespace, name)),
    ...tabs.filter(isTyped).map((tab) => entry(`${name} ${tab}`, 'Instance', instancePath(namespace, name, tab))),
    ...ownPlans(row)
      .filter((plan) => isTyped(`${planTitleOf(row, plan)} ${plan}`))
      .map((plan) => ({ ...entry(`${planTitleOf(row, plan)} ${name}…`, 'Action', ask(plan)), also: plan })),
    ...(isTyped('Delete uninstall')
      ? [{ ...entry(`Delete ${name}…`, 'Action', ask('delete')), also: 'uninstall' }]
      : []),
  ];
}

/** The best version of each operator: its page, and its installation. Packages come best version first. */
function packageEntries(packages: PaletteSources['packages']): PaletteEntry[] {
  const best = packages.filter(({ name }, at) => packages.findIndex((each) => each.name === name) === at);
  return best.flatMap(({ name, key }): PaletteEntry[] => [
    { key: `operator ${name}`, label: name, kind: 'Operator', goal: { to: 'page', href: operatorPath(name, key) } },
    {
      key: `install ${name}`,
      label: `Install ${name}`,
      kind: 'Action',
      goal: { to: 'page', href: installPath(name, key) },
    },
  ]);
}

/** Of a kind that an operator brings also the form that creates one. */
function kindEntries(kind: KindSummary): PaletteEntry[] {
  const list: PaletteEntry = {
    key: `kind ${resourceName(kind)}`,
    label: kind.kind,
    kind: kind.group === '' ? 'Kind' : `Kind, ${kind.group}`,
    goal: { to: 'page', href: kindHref(kind) },
    also: `${kind.resource} ${kind.shortNames.join(' ')}`,
  };
  if (kind.operator === undefined || !kind.verbs.includes('create')) return [list];
  const goal = { to: 'page', href: newHref(kind, undefined) } as const;
  const also = `create ${kind.resource} ${kind.shortNames.join(' ')}`;
  return [
    list,
    { key: `new ${resourceName(kind)}`, label: `New ${kind.kind}`, kind: `Action, ${kind.operator}`, goal, also },
  ];
}

function scopes(namespaces: readonly string[]): PaletteEntry[] {
  const entry = (label: string, namespace: string | undefined): PaletteEntry => ({
    key: `scope ${namespace ?? ''}`,
    label,
    kind: 'Scope',
    goal: { to: 'namespace', namespace },
    also: 'namespace',
  });
  return [entry('Show all namespaces', undefined), ...namespaces.map((name) => entry(`Show only ${name}`, name))];
}
