import { numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

/** An Event, as lists show it. */
export interface EventLine {
  readonly key: string;
  readonly isWarning: boolean;
  readonly reason: string;
  readonly message: string;
  readonly object: string;
  /** RFC 3339, or the empty string. */
  readonly at: string;
  readonly count: number;
  /** The resourceVersion as a number, which orders events of the same second. */
  readonly written: number;
}

/**
 * Events of the Instance and of the objects that it owns, newest first. `names` has `Kind/name` of the owned objects; while it
 * is undefined, every object whose name begins with the Instance's counts. Of events of the same second the one written last is first.
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

/** Other names (`system:node` of a role) are not valid in a topic, and have no events. */
const TOPIC_NAME = /^[a-z0-9.-]+$/;
/** The most names that a page follows; events of objects with other names are left out. */
const MOST_NAMES = 12;

/**
 * The names whose events a page follows: the Instance's, and those of owned objects that do not begin with it. Following a name
 * includes all names that begin with it.
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
