import { isGuidePage } from './pages';

/** A page of the guide, and the section of it that counts; without a section the whole page. */
export interface GuidePlace {
  readonly page: string;
  /** As the fragment of a link names it: `the-page-status`. */
  readonly section?: string | undefined;
}

const place = (page: string, section?: string): GuidePlace => ({ page, section });

/** The first pattern that fits the path of a page of the console counts. */
const PLACES: readonly (readonly [RegExp, GuidePlace])[] = [
  [/^\/$/, place('console', 'overview')],
  [/^\/instances$/, place('console', 'instances')],
  [/^\/instances\/[^/]+\/[^/]+\/parameters$/, place('console', 'parameters')],
  [/^\/instances\/[^/]+\/[^/]+\/backups$/, place('runs', 'backups')],
  [/^\/instances\/[^/]+\/[^/]+\/runs\/compare$/, place('runs', 'comparing-runs')],
  [/^\/instances\/[^/]+\/[^/]+\/(runs\/.+|plans)$/, place('runs')],
  [/^\/instances\/[^/]+\/[^/]+\/resources$/, place('resource-tree')],
  [/^\/instances\/[^/]+\/[^/]+\/logs$/, place('pods', 'logs')],
  [/^\/instances\/[^/]+\/[^/]+\/yaml$/, place('editing-yaml')],
  [/^\/instances\//, place('console', 'an-instance')],
  [/^\/runs/, place('runs')],
  [/^\/schedules/, place('schedules')],
  [/^\/operators\/[^/]+\/upgrade/, place('upgrades')],
  [/^\/(operators|install)/, place('console', 'operators-and-installing')],
  [/^\/workshop/, place('workshop')],
  [/^\/resources\/core\/v1\/pods/, place('pods')],
  [/^\/resources\/core\/v1\/nodes/, place('workloads', 'draining-a-node')],
  [/^\/resources\/.*\/explain$/, place('custom-resources', 'reading-the-fields-of-a-kind')],
  [/^\/resources\/(apps|batch)\//, place('workloads')],
  [/^\/resources\/apiregistration\.k8s\.io\//, place('aggregated-apis')],
  [/^\/resources\/apiextensions\.k8s\.io\//, place('custom-resources')],
  [/^\/resources\/(create|.*\/(new|form|yaml))$/, place('forms')],
  [/^\/resources/, place('console', 'resources')],
  [/^\/repositories/, place('repositories', 'in-the-console')],
  [/^\/activity/, place('activity', 'the-page-activity')],
  [/^\/usage/, place('usage')],
  [/^\/roles/, place('rights', 'the-page-roles')],
  [/^\/clusters/, place('many-clusters')],
  [/^\/status/, place('monitoring', 'the-page-status')],
  [/^\/settings/, place('console-settings')],
];

/** What the guide says about a page of the console. @param path without the base path and the cluster */
export function guidePlaceOf(path: string): GuidePlace {
  return PLACES.find(([pattern]) => pattern.test(path))?.[1] ?? place('console');
}

/** The place that a link between pages of the guide names (`runs.md#the-queue`, `#logs`); undefined for any other link. */
export function guidePlaceOfLink(href: string, from: string): GuidePlace | undefined {
  const match = /^(?:([\w-]+)\.md)?(?:#([\w-]+))?$/.exec(href);
  if (match === null || href === '') return undefined;
  const [, file = '', section] = match;
  const page = file === '' ? from : file;
  return isGuidePage(page) ? place(page, section) : undefined;
}

/** The section of a page with its heading, up to the next heading that is not below it; undefined when there is none. */
export function guideSection(text: string, section: string): string | undefined {
  const lines = text.split('\n');
  let isCode = false;
  let level = 0;
  const kept: string[] = [];
  for (const line of lines) {
    if (/^ {0,3}(```|~~~)/.test(line)) isCode = !isCode;
    const [, marks = '', title = ''] = isCode ? [] : (/^(#{1,6}) +(.*)$/.exec(line) ?? []);
    if (level > 0 && marks !== '' && marks.length <= level) break;
    if (level === 0 && marks !== '' && headingSlug(title) === section) level = marks.length;
    if (level > 0) kept.push(line);
  }
  return kept.length === 0 ? undefined : kept.join('\n');
}

/** A page without its title, which stands above it; its headings are one level up for that. */
export function guideBody(text: string): string {
  let isCode = false;
  return text
    .replace(/^# .*\n/, '')
    .split('\n')
    .map((line) => {
      if (/^ {0,3}(```|~~~)/.test(line)) isCode = !isCode;
      return isCode ? line : line.replace(/^##(#*) /, '#$1 ');
    })
    .join('\n');
}

/** The fragment of a heading, as GitHub makes it. */
export function headingSlug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}
