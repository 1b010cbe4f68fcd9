import { parseTime } from '@/lib/clock/clock';
import { BravoError } from '@/lib/errors/errors';
import { arrayAt, getAt, stringAt } from '@/lib/json/json';
import { conditionByType } from '@/lib/kube/conditions';
import { podTrouble } from '@/lib/kube/health/pod';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import type { TaskContext } from './context';

/** Attaching a disk or fetching a pod's Secrets may take this long when nothing is wrong. */
export const MOUNT_PATIENCE_MS = 5_000;
const MAX_CHARS = 300;

/** Reasons of the events that say why a pod's first container cannot start. */
const REASONS: ReadonlySet<string> = new Set([
  'FailedMount',
  'FailedAttachVolume',
  'FailedMapVolume',
  'FailedCreatePodSandBox',
]);

/**
 * Why the first container of one of the object's pods does not start, with the pod's name; undefined when all start:
 * `pod web-0: FailedMount: MountVolume.SetUp failed for volume "v" : secret "certs" not found`.
 *
 * The status of such a pod says nothing but ContainerCreating; only the kubelet's event names the missing Secret, ConfigMap
 * or disk. So the events of one pod are read, and only while it does not start: a pod that pulls its image, or whose status
 * names the problem, costs no request.
 */
export async function mountFailure(
  object: KubeObject,
  context: Pick<TaskContext, 'api' | 'clock' | 'podsOf'>,
): Promise<string | undefined> {
  const pods = object.kind === 'Pod' ? [object] : context.podsOf(object);
  const pod = pods.find((each) => hangs(each, context.clock.now()));
  if (pod === undefined) return undefined;
  const event = await lastEvent(pod, context);
  if (event === undefined) return undefined;
  const text = `pod ${nameOf(pod)}: ${stringAt(event, 'reason')}: ${stringAt(event, 'message')}`;
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS - 1)}…`;
}

/** True for a pod that was on a node for a while, without a started container or a reason in its status. */
function hangs(pod: KubeObject, nowMs: number): boolean {
  if (stringAt(pod.status, 'phase') !== 'Pending') return false;
  // The kubelet sets startTime when it accepts the pod.
  if (nowMs - (parseTime(stringAt(pod.status, 'startTime')) ?? nowMs) < MOUNT_PATIENCE_MS) return false;
  // Since Kubernetes 1.29: True when volumes and network are ready.
  const setUp = conditionByType(pod, 'PodReadyToStartContainers');
  if (setUp !== undefined) return setUp.status !== 'True' && podTrouble(pod) === undefined;
  const containers = [...arrayAt(pod.status, 'initContainerStatuses'), ...arrayAt(pod.status, 'containerStatuses')];
  return podTrouble(pod) === undefined && containers.every((each) => getAt(each, 'state', 'waiting') !== undefined);
}

async function lastEvent(pod: KubeObject, { api }: Pick<TaskContext, 'api'>): Promise<KubeObject | undefined> {
  const fieldSelector = `involvedObject.kind=Pod,involvedObject.name=${nameOf(pod)},type=Warning`;
  try {
    const events = { group: '', version: 'v1', resource: 'events', namespace: namespaceOf(pod) };
    const { items } = await api.list(events, { fieldSelector });
    const ours = items.filter(
      (event) =>
        stringAt(event.involvedObject, 'uid') === pod.metadata.uid && REASONS.has(stringAt(event, 'reason') ?? ''),
    );
    // Now and then the kubelet only sums up that volumes are missing; other events say which and why.
    const precise = ours.filter((event) => !(stringAt(event, 'message') ?? '').startsWith('Unable to attach or mount'));
    const [newest] = (precise.length > 0 ? precise : ours).sort((a, b) => timeOf(b).localeCompare(timeOf(a)));
    return newest;
  } catch (error) {
    // Only the message is shorter without it.
    if (error instanceof BravoError) return undefined;
    throw error;
  }
}

function timeOf(event: KubeObject): string {
  return stringAt(event, 'lastTimestamp') ?? stringAt(event, 'eventTime') ?? '';
}
