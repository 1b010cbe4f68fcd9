import { EmptyState } from '@/components/ui/empty-state';
import { StatusText } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { bytesText } from '@/lib/kudo/view/bytes-text';

/** What Jobs of the run wrote to their termination messages. */
export function OutputsView({ run }: { run: PlanRun }) {
  const { outputs = [] } = run.status ?? {};
  if (outputs.length === 0) {
    return (
      <EmptyState title="No outputs">
        A Job of a plan may name what it made, such as a backup, in its termination message.
      </EmptyState>
    );
  }
  return (
    <ul className="divide-y divide-line">
      {outputs.map(({ type = '', name = '', size, target, createdAt, verified }) => (
        <li
          key={`${type} ${name} ${createdAt}`}
          className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2.5"
        >
          <span className="text-ink-2">{type}</span>
          <code className="min-w-0 break-all font-medium">{name}</code>
          {verified === true && <StatusText status="COMPLETE" word="Verified" />}
          <span className="ms-auto text-ink-2 tabular-nums">{size !== undefined && bytesText(size)}</span>
          <span className="basis-full text-ink-3 text-xs">
            {target}
            {target !== undefined && createdAt !== undefined && ' · '}
            {createdAt !== undefined && <TimeAgo at={createdAt} />}
          </span>
        </li>
      ))}
    </ul>
  );
}
