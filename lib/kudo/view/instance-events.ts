import { numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

/** An Event as a line. */
export interface EventLine {
  readonly key: string;
  readonly isWarning: boolean;
  readonly reason: string;
  readonly message: string;
  readonly object: string;
  /** RFC 3339, or the empty string. */
  readonly at: string;
  readonly count: number;
  /** Orders events of one moment: the version of the object, larger when written later. */
  readonly written: number;
}

/**
 * Events about the Instance and about what it owns, newest first. `names` holds `Kind/name` of the owned objects; while it
 * is not known, pods and jobs that begin with the Instance's name count. Times are often whole seconds: what was written later
 * stands first among equals.
 */
export function instanceEvents(
  events: readonly KubeObject[],
  instance: string,
  names: ReadonlySet<string> | undefined,
): EventLine[] {
  return events
    .map(eventLine)
    .filter(
      ({ object }) => object === `Instance/${instance}` || (names?.has(object) ?? object.includes(`/${instance}-`)),
    )
    .sort((a, b) => b.at.localeCompare(a.at) || b.written - a.written || a.key.localeCompare(b.key));
}

/** Other names (`system:node` of a role) cannot be asked for, and no events are about them. */
const TOPIC_NAME = /^[a-z0-9.-]+$/;
/** More names than these are not asked for: events of what has yet another one are left out. */
const MOST_NAMES = 12;

/**
 * The names whose events a page follows: the Instance's, and those of owned objects that do not begin with it (names that begin with
 * one of these are followed with it).
 */
export function followedNames(
  instance: string,
  owned: readonly { readonly name: string; readonly owner?: { readonly kind: string } | undefined }[],
): string[] {
  const names = [instance];
  for (const { name } of [...owned].sort((a, b) => a.name.localeCompare(b.name))) {
    const isCovered = names.some((known) => name === known || name.startsWith(`${known}-`));
    if (!isCovered && TOPIC_NAME.test(name) && names.length < MOST_NAMES) names.push(name);
  }
  return names;
}

function eventLine(event: KubeObject): EventLine {
  const kind = stringAt(event, 'involvedObject', 'kind') ?? '';
  const name = stringAt(event, 'involvedObject', 'name') ?? '';
  return {
    key: event.metadata.uid ?? event.metadata.name ?? '',
    isWarning: event.type === 'Warning',
    reason: stringAt(event, 'reason') ?? '',
    message: stringAt(event, 'message') ?? '',
    object: `${kind}/${name}`,
    at: timeOf(event),
    count: numberAt(event, 'count') ?? numberAt(event, 'series', 'count') ?? 1,
    written: Number(event.metadata.resourceVersion ?? 0) || 0,
  };
}

function timeOf(event: KubeObject): string {
  const candidates = [
    stringAt(event, 'series', 'lastObservedTime'),
    stringAt(event, 'lastTimestamp'),
    stringAt(event, 'eventTime'),
    event.metadata.creationTimestamp,
  ];
  return candidates.find((time) => time !== undefined && time !== null && time !== '') ?? '';
}
