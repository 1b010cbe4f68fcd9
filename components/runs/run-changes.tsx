import { Card } from '@/components/ui/card';
import { exactTime } from '@/components/ui/time-ago';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';

/** What changed with the run, what its Jobs gave, and what people did with it; nothing of what there is none. */
export function RunChanges({ run }: { run: PlanRun }) {
  const { changes = [], outputs = [], steering = [] } = run.status ?? {};
  return (
    <>
      {changes.length > 0 && (
        <Card title="Parameters">
          <ul className="divide-y divide-line">
            {changes.map(({ name = '', before, after, secret }) => (
              <li key={name} className="grid gap-1 px-4 py-2.5 sm:grid-cols-[minmax(120px,220px)_minmax(0,1fr)]">
                <code className="font-medium">{name}</code>
                <span className="mono min-w-0 break-words text-xs">
                  {secret === true ? (
                    <span className="text-ink-2">A new secret value</span>
                  ) : (
                    <>
                      <span className="text-ink-2 line-through">{before ?? 'default'}</span> → {after ?? 'default'}
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {outputs.length > 0 && (
        <Card title="Outputs">
          <ul className="divide-y divide-line">
            {outputs.map(({ type = '', name = '', size, target }) => (
              <li key={`${type} ${name}`} className="flex flex-wrap gap-x-3 px-4 py-2.5">
                <span className="text-ink-2">{type}</span>
                <code className="min-w-0 break-words">{name}</code>
                <span className="ms-auto text-ink-2 tabular-nums">
                  {size !== undefined && `${size.toLocaleString('en')} bytes`}
                  {target !== undefined && ` · ${target}`}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {steering.length > 0 && (
        <Card title="What people did">
          <ul className="divide-y divide-line">
            {steering.map(({ at = '', event = '', by, message = '' }) => (
              <li key={`${at} ${event} ${message}`} className="flex flex-wrap gap-x-3 px-4 py-2.5">
                <time dateTime={at} className="text-ink-3 text-xs">
                  {exactTime(at)}
                </time>
                <span className="font-medium">{event}</span>
                <span className="text-ink-2">
                  {message}
                  {by !== undefined && ` (${by})`}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}
