import { installPath, operatorPath } from '@/components/operators/operator-path';
import { kindHref, newHref } from '@/components/resources/resource-path';
import type { ClusterMatch } from '@/lib/clusters/cluster-info';
import { type KindSummary, resourceName } from '@/lib/kube/kinds';
import type { FoundName } from '@/lib/kube/object-names';
import { planTitle } from '@/lib/kudo/names';
import type { PackageSummary } from '@/lib/kudo/package/catalogue';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { ownPlans, planTitleOf } from '@/lib/kudo/view/plan-availability';
import { type KeptPlaces, NO_PLACES } from '@/lib/places/places';
import { fitOf } from './fuzzy';
import { objectEntries, readQuery, setEntries } from './object-entries';
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
  /** True when the source of the entry has compared it with the query. */
  readonly isFitting?: true;
}

/** What there is to be found. */
export interface PaletteSources {
  readonly instances: readonly Pick<InstanceRow, 'namespace' | 'name' | 'operatorVersionObject'>[];
  readonly packages: readonly Pick<PackageSummary, 'name' | 'key'>[];
  readonly kinds: readonly KindSummary[];
  readonly namespaces: readonly string[];
  /** What can be done with the object whose page is open. */
  readonly actions?: readonly PaletteEntry[];
  /** Objects of all kinds; empty until the server has answered. */
  readonly objects?: readonly FoundName[];
  /** What the person looked at last, the newest first, and favourites. */
  readonly places?: Pick<KeptPlaces, 'seen' | 'favourites' | 'views'>;
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
 * What fits every word of the query: pages, instances, operators, kinds, objects of every kind, and what can be done with them. Tabs and actions come
 * only when one of their words is typed. At most 18; what begins with the query comes first, of equal ones what was seen last. Letters that only come
 * in the order of the query count last. What other clusters have is behind all of it.
 */
export function findEntries(query: string, sources: PaletteSources): PaletteEntry[] {
  const asked = readQuery(query);
  const { words } = asked;
  const isEmpty = words.length === 0;
  const all = [
    ...(isEmpty ? recentEntries(sources.places) : (sources.actions ?? [])),
    ...pages,
    ...sources.instances.flatMap((row) => instanceEntries(row, words)),
    ...packageEntries(sources.packages),
    ...(isEmpty ? [] : [...sources.kinds.flatMap(kindEntries), ...themes, ...scopes(sources.namespaces)]),
    ...(isEmpty ? [] : viewEntries(sources.places)),
    ...objectEntries(sources.objects ?? [], asked),
    ...setEntries(query, sources.instances),
  ];
  const seen = new Map((sources.places?.seen ?? []).map(({ href }, at) => [href, at]));
  const ranked = distinctEntries(all).flatMap((entry) => {
    const rank = rankOf(entry, words);
    return rank === undefined
      ? []
      : [{ entry, rank, seenAt: seenAt(entry, seen), other: isNamed(entry, words) ? 0 : 1 }];
  });
  // The sort keeps the order of equal ones.
  const here = isEmpty ? ranked : ranked.sort((a, b) => a.rank - b.rank || a.seenAt - b.seenAt || a.other - b.other);
  const shown = here.slice(0, MOST).map(({ entry }) => entry);
  return [...shown, ...(sources.elsewhere ?? []).slice(0, MOST_ELSEWHERE).map(elsewhereEntry)];
}

/** 0 begins with the query, 1 has its first word, 2 fits by other words, 3 only by letters in their order; undefined does not fit. */
function rankOf({ label, kind, also = '', isFitting }: PaletteEntry, words: readonly string[]): number | undefined {
  const name = label.toLowerCase();
  const text = `${name} ${kind} ${also}`.toLowerCase();
  if (isFitting !== true && !words.every((word) => text.includes(word))) {
    const fits = words.length > 0 && words.every((word) => text.includes(word) || fitOf(name, word) !== undefined);
    return fits ? 3 : undefined;
  }
  if (name.startsWith(words.join(' '))) return 0;
  return name.includes(words[0] ?? '') ? 1 : 2;
}

/** True when a word of the label is the last word of the query, and not only begins with it: `web` before `webhook`. */
function isNamed({ label }: PaletteEntry, words: readonly string[]): boolean {
  return label
    .toLowerCase()
    .replace('…', '')
    .split(' ')
    .includes(words.at(-1) ?? '');
}

function seenAt({ goal }: PaletteEntry, seen: ReadonlyMap<string, number>): number {
  const at = goal.to === 'page' ? seen.get(goal.href) : undefined;
  return at ?? Number.MAX_SAFE_INTEGER;
}

function distinctEntries(entries: readonly PaletteEntry[]): PaletteEntry[] {
  const byKey = new Map<string, PaletteEntry>();
  for (const entry of entries) if (!byKey.has(entry.key)) byKey.set(entry.key, entry);
  return [...byKey.values()];
}

const MOST_RECENT = 6;

/** Before anything is typed: what was seen last, and the favourites. */
function recentEntries({ seen, favourites }: Pick<KeptPlaces, 'seen' | 'favourites'> = NO_PLACES): PaletteEntry[] {
  const starred = favourites.map((place) => ({ ...place, note: `Favourite, ${place.note}` }));
  return [...seen.slice(0, MOST_RECENT), ...starred.slice(-MOST_RECENT)].map(({ href, label, note }) => ({
    key: href,
    label,
    kind: note,
    goal: { to: 'page', href },
  }));
}

function viewEntries({ views }: Pick<KeptPlaces, 'views'> = NO_PLACES): PaletteEntry[] {
  return views.map(({ name, href }) => ({
    key: `view ${href} ${name}`,
    label: name,
    kind: 'Saved view',
    goal: { to: 'page', href },
  }));
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
      .map((plan) => ({
        ...entry(`${planTitleOf(row, plan)} ${name}…`, 'Action', ask(plan)),
        also: `run start ${plan}`,
      })),
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
