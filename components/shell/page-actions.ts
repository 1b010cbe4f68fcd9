import { decodePart, objectHref } from '@/components/resources/resource-path';
import type { GroupVersionResource } from '@/lib/kube/object';
import type { PaletteEntry } from './palette-entries';

/** The actions of workloads and Nodes by resource; which of them the state allows, the page says. */
const ACTIONS: { readonly [groupResource: string]: readonly (readonly [ask: string, label: string])[] } = {
  'apps/deployments': [
    ['scale', 'Scale'],
    ['restart', 'Restart'],
    ['pause', 'Pause rollout of'],
    ['resume', 'Resume rollout of'],
  ],
  'apps/statefulsets': [
    ['scale', 'Scale'],
    ['restart', 'Restart'],
  ],
  'apps/daemonsets': [['restart', 'Restart']],
  'apps/replicasets': [['scale', 'Scale']],
  'batch/jobs': [
    ['rerun', 'Run again'],
    ['suspend', 'Suspend'],
    ['unsuspend', 'Resume'],
  ],
  'batch/cronjobs': [
    ['trigger', 'Run now'],
    ['suspend', 'Suspend'],
    ['unsuspend', 'Resume'],
  ],
  'core/nodes': [
    ['cordon', 'Cordon'],
    ['uncordon', 'Uncordon'],
    ['drain', 'Drain'],
  ],
};

/** The actions of an object of that type, as words of the address and labels. */
export function actionsOf({
  group,
  resource,
}: Pick<GroupVersionResource, 'group' | 'resource'>): readonly (readonly [ask: string, label: string])[] {
  return ACTIONS[`${group === '' ? 'core' : group}/${resource}`] ?? [];
}

/**
 * The actions of the object whose page is open, for the palette. Choosing one opens its dialog, or nothing where the object has no such action
 * now.
 *
 * @param path the path of the page, without the base path and the cluster
 */
export function pageActions(path: string): readonly PaletteEntry[] {
  const parts = path.split('/').slice(1).map(decodePart);
  const [root, group = '', version = '', resource = '', namespace = '', name = ''] = parts;
  if (root !== 'resources' || name === '') return [];
  const place = namespace === '_' ? '' : namespace;
  const href = objectHref({ group: group === 'core' ? '' : group, version, resource }, place, name);
  return (ACTIONS[`${group}/${resource}`] ?? []).map(([ask, label]) => ({
    key: `${href}?ask=${ask}`,
    label: `${label} ${name}…`,
    kind: 'Action',
    goal: { to: 'page', href: `${href}?ask=${ask}` },
  }));
}
