import { messageOf } from '@/lib/errors/errors';
import { stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { HarnessCluster, HarnessLog } from './harness';

const EVENTS = { group: '', version: 'v1', resource: 'events' } as const;

/** Logs the events of a namespace, the oldest first. A failure is logged, too. */
export async function logEvents(cluster: HarnessCluster, namespace: string, log: HarnessLog): Promise<void> {
  try {
    const { items } = await cluster.api.list({ ...EVENTS, namespace });
    log.line(`${namespace} events:`);
    for (const event of [...items].sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))) log.line(textOf(event));
  } catch (error) {
    log.line(`events of ${namespace} cannot be read: ${messageOf(error)}`);
  }
}

function timeOf(event: KubeObject): string {
  return stringAt(event, 'lastTimestamp') ?? stringAt(event, 'eventTime') ?? event.metadata.creationTimestamp ?? '';
}

function textOf(event: KubeObject): string {
  const about = `${stringAt(event, 'involvedObject', 'kind') ?? ''}/${stringAt(event, 'involvedObject', 'name') ?? ''}`;
  const words = [timeOf(event), stringAt(event, 'type'), stringAt(event, 'reason'), about, stringAt(event, 'message')];
  return words.filter((word) => word !== undefined && word !== '').join('\t');
}
