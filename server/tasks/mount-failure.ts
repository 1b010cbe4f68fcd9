import { parseTime } from '@/lib/clock/clock';
import { BravoError } from '@/lib/errors/errors';
import { arrayAt, getAt, stringAt } from '@/lib/json/json';
import { conditionOf } from '@/lib/kube/conditions';
import { podTrouble } from '@/lib/kube/health/pod';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import type { TaskContext } from './context';

/** What may take so long without anything being wrong: attaching a disk, fetching the Secrets of a pod. */
export const MOUNT_PATIENCE_MS = 5_000;
const MAX_CHARS = 300;

/** What keeps a pod from being set up before its first container, by the events that say so. */
const REASONS: ReadonlySet<string> = new Set([
  'FailedMount',
  'FailedAttachVolume',
  'FailedMapVolume',
  'FailedCreatePodSandBox',
]);

/**
 * Why a pod of an object hangs before its first container, with the pod's name, or undefined when none does:
 * `pod web-0: FailedMount: MountVolume.SetUp failed for volume "v" : secret "certs" not found`.
 *
 * The status of such a pod says nothing but ContainerCreating; only the kubelet's event names the missing Secret, ConfigMap
 * or disk. So the events of one pod are read, and only while it hangs: a pod that pulls its image, or whose status says
 * itself what is wrong, costs nothing.
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

/** On a node for a while, with neither a container that was begun nor a word why. */
function hangs(pod: KubeObject, nowMs: number): boolean {
  if (stringAt(pod.status, 'phase') !== 'Pending') return false;
  // The kubelet sets the time when it takes the pod over.
  if (nowMs - (parseTime(stringAt(pod.status, 'startTime')) ?? nowMs) < MOUNT_PATIENCE_MS) return false;
  // Since Kubernetes 1.29: True from the moment when volumes and network are there and images are pulled.
  const setUp = conditionOf(pod, 'PodReadyToStartContainers');
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
    // The kubelet also sums up, now and then, that volumes are not there; which and why stands in the others.
    const precise = ours.filter((event) => !(stringAt(event, 'message') ?? '').startsWith('Unable to attach or mount'));
    const [newest] = (precise.length > 0 ? precise : ours).sort((a, b) => timeOf(b).localeCompare(timeOf(a)));
    return newest;
  } catch (error) {
    // The sentence is poorer without it; the plan goes on.
    if (error instanceof BravoError) return undefined;
    throw error;
  }
}

function timeOf(event: KubeObject): string {
  return stringAt(event, 'lastTimestamp') ?? stringAt(event, 'eventTime') ?? '';
}
