import { Tag } from '@/components/ui/tag';
import type { DrainedPod } from '@/lib/kube/workloads/drain';
import type { Tone } from '@/lib/kudo/view/status-words';

/** The pods of a Node, and what a drain does with each. */
export function DrainPods({
  pods,
  refused,
  mayEvict,
}: {
  pods: readonly DrainedPod[];
  /** Why a pod could not be evicted, by its key. */
  refused: ReadonlyMap<string, string> | undefined;
  mayEvict: (pod: DrainedPod) => boolean;
}) {
  if (pods.length === 0) return <p className="text-ink-2">No pods run on this Node.</p>;
  const evicted = pods.filter((pod) => pod.fate === 'evict' && mayEvict(pod)).length;
  return (
    <section aria-label="Pods of the Node" className="grid gap-2">
      <p className="text-ink-2">
        {evicted} of {pods.length} {pods.length === 1 ? 'pod moves' : 'pods move'}.
      </p>
      <table className="table rounded-md border">
        <thead>
          <tr>
            <th scope="col">Pod</th>
            <th scope="col" className="max-sm:hidden">
              Controller
            </th>
            <th scope="col">What happens</th>
          </tr>
        </thead>
        <tbody>
          {pods.map((pod) => {
            const { tone, word, why } = fateWords(pod, mayEvict(pod), refused?.get(pod.key));
            return (
              <tr key={pod.key}>
                <td className="[overflow-wrap:anywhere]">
                  <span className="block text-ink-3 text-xs">{pod.namespace}</span>
                  {pod.name}
                </td>
                <td className="[overflow-wrap:anywhere] text-ink-2 max-sm:hidden">{pod.controller || 'none'}</td>
                <td>
                  <Tag {...(tone === undefined ? {} : { tone })}>{word}</Tag>
                  {why !== '' && <span className="block text-ink-2 text-xs">{why}</span>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

interface FateWords {
  readonly tone?: Tone;
  readonly word: string;
  readonly why: string;
}

function fateWords(pod: DrainedPod, isConfirmed: boolean, refusal: string | undefined): FateWords {
  if (pod.fate === 'daemon') return { word: 'Stays', why: 'A DaemonSet runs it on every Node.' };
  if (pod.fate === 'static') return { word: 'Stays', why: 'The kubelet runs it from a file.' };
  if (pod.fate === 'leaving') return { tone: 'run', word: 'Ending', why: '' };
  if (!isConfirmed) return { tone: 'hold', word: 'Stays', why: lossWords(pod) };
  if (pod.heldBy !== undefined) {
    return { tone: 'wait', word: 'Held', why: `PodDisruptionBudget ${pod.heldBy} allows no disruption now.` };
  }
  if (refusal !== undefined) return { tone: 'wait', word: 'Refused', why: refusal };
  return { tone: pod.losses.length > 0 ? 'fail' : 'ok', word: 'Evicted', why: lossWords(pod) };
}

function lossWords({ losses, volumes }: DrainedPod): string {
  const parts = [
    losses.includes('bare') ? 'No controller starts it again.' : '',
    losses.includes('local-data') ? `The data of ${volumes.join(', ')} (emptyDir) is lost.` : '',
  ];
  return parts.filter(Boolean).join(' ');
}
