import { arrayAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import type { RunOutput } from '@/lib/kudo/runs/plan-run';
import { outputsIn } from '@/lib/kudo/runs/run-outputs';
import type { Task } from '@/lib/kudo/types';
import { memoryKey, type TaskContext } from '@/server/tasks/context';
import type { ReconcilerDeps } from './reconciler-deps';
import { podsOf } from './resource-health';

const PODS = { group: '', version: 'v1', resource: 'pods' } as const;

/** What Jobs of a task that is done said in the termination messages of their containers. */
export async function outputsOfTask(
  task: Task,
  context: TaskContext,
  deps: Pick<ReconcilerDeps, 'watches' | 'api'>,
): Promise<RunOutput[]> {
  const { objects } = (await context.memory.known?.(memoryKey(context, task))) ?? { objects: [] };
  const outputs: RunOutput[] = [];
  for (const object of objects) {
    if (object.kind !== 'Job' || object.apiVersion !== 'batch/v1') continue;
    const job = deps.watches.workloads.get('jobs')?.get(namespaceOf(object), nameOf(object));
    if (job === undefined) continue;
    const known = messagesOf(podsOf(deps.watches, job));
    // The watch of pods may be behind that of Jobs.
    const messages = known.length > 0 ? known : messagesOf(await podsOfJob(job, deps));
    outputs.push(...messages.flatMap(outputsIn));
  }
  return outputs;
}

async function podsOfJob(job: KubeObject, { api }: Pick<ReconcilerDeps, 'api'>): Promise<readonly KubeObject[]> {
  const labelSelector = `job-name=${nameOf(job)}`;
  return (await api.list({ ...PODS, namespace: namespaceOf(job) }, { labelSelector })).items;
}

/** Of containers that ended well. */
function messagesOf(pods: readonly KubeObject[]): string[] {
  return pods.flatMap((pod) =>
    [...arrayAt(pod.status, 'initContainerStatuses'), ...arrayAt(pod.status, 'containerStatuses')].flatMap((status) => {
      const reason = stringAt(status, 'state', 'terminated', 'reason');
      const message = stringAt(status, 'state', 'terminated', 'message');
      return reason === 'Completed' && message !== undefined ? [message] : [];
    }),
  );
}
