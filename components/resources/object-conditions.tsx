import { Card } from '@/components/ui/card';
import { StatusText } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { arrayAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { StatusKey } from '@/lib/kudo/view/status-words';

/** Conditions whose `True` is bad news. */
const BAD_WHEN_TRUE = /fail|pressure|unavailable|degraded|stalled|conflict|terminating|disruption|nonstructural/i;

/** `status.conditions` as sentences; nothing for objects without. */
export function ObjectConditions({ object }: { object: KubeObject }) {
  const conditions = arrayAt(object, 'status', 'conditions');
  if (conditions.length === 0) return null;
  return (
    <Card title="Conditions">
      <ul className="divide-y divide-line">
        {conditions.map((condition) => {
          const type = stringAt(condition, 'type') ?? '';
          const status = stringAt(condition, 'status') ?? 'Unknown';
          const reason = stringAt(condition, 'reason') ?? '';
          const message = stringAt(condition, 'message') ?? '';
          return (
            <li key={type} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2">
              <StatusText
                className="basis-44"
                status={keyOf(type, status)}
                word={status === 'True' ? type : `${type}: ${status}`}
              />
              <span className="min-w-0 flex-1 basis-56 text-ink-2">
                {reason !== '' && <span className="font-medium">{reason}</span>} {message}
              </span>
              <span className="text-ink-3">
                <TimeAgo at={stringAt(condition, 'lastTransitionTime')} />
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function keyOf(type: string, status: string): StatusKey {
  if (status !== 'True' && status !== 'False') return 'unknown';
  const isGood = (status === 'True') !== BAD_WHEN_TRUE.test(type);
  if (isGood) return 'healthy';
  return BAD_WHEN_TRUE.test(type) ? 'FATAL_ERROR' : 'waiting';
}
