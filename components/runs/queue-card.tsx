'use client';

import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useRightToRun } from '@/components/access/instance-rights';
import { PlanButton } from '@/components/plans/plan-button';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { CopyOneOfMenu } from '@/components/ui/copy-as-menu';
import { TimeAgo } from '@/components/ui/time-ago';
import { queueCommands } from '@/lib/kudo/commands/queue-commands';
import { isQueueHeld, type QueueWish, whyQueued } from '@/lib/kudo/queue/queue-wish';
import { type QueueEntry, runQueueOf } from '@/lib/kudo/queue/run-queue';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { useChangeQueue } from './use-change-queue';

/** The runs of an Instance that wait, the next one first, with buttons that move them and take them off; nothing when none waits. */
export function QueueCard({ row }: { row: InstanceRow }) {
  const { entries } = runQueueOf(row.instance);
  const [first] = entries;
  if (first === undefined) return null;
  const isHeld = isQueueHeld(row.instance);
  return (
    <Card title="Queue" note={String(entries.length)} action={isHeld && <PlanButton plan={first.plan} size="small" />}>
      <p className={`border-b px-4 py-2.5 ${isHeld ? 'text-hold' : 'text-ink-2'}`}>{whyQueued(row.instance)}</p>
      <ol className="divide-y divide-line">
        {entries.map((entry, index) => (
          <Waiting key={entry.uid} row={row} entry={entry} place={index + 1} count={entries.length} />
        ))}
      </ol>
    </Card>
  );
}

/** Copies what the buttons of one run do. */
function CopyChange({ row, plan, place, count }: Omit<WaitingProps, 'entry'> & { plan: string }) {
  const wishes: [heading: string, wish: QueueWish][] = [
    ...(place > 1 ? [['Move up', { do: 'move', plan, to: place - 1 }] satisfies [string, QueueWish]] : []),
    ...(place < count ? [['Move down', { do: 'move', plan, to: place + 1 }] satisfies [string, QueueWish]] : []),
    ['Take off the queue', { do: 'remove', plan }],
  ];
  const actions = wishes.map(([heading, wish]) => ({
    heading,
    what: `${heading.toLowerCase()}, plan ${plan} of ${row.name}`,
    commands: queueCommands(row.instance, wish),
  }));
  return <CopyOneOfMenu actions={actions} />;
}

interface WaitingProps {
  row: InstanceRow;
  entry: QueueEntry;
  /** From 1. */
  place: number;
  count: number;
}

function Waiting({ row, entry, place, count }: WaitingProps) {
  const change = useChangeQueue(row);
  const { missing, block } = useRightToRun(row);
  const { plan, by, at, reason, cause } = entry;
  const disabledReason = missing ?? block;
  const move = (to: number) => change.mutate({ do: 'move', plan, to });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
      <span className="text-ink-3">{place}</span>
      <code className="font-medium">{plan}</code>
      <span className="min-w-0 text-ink-2">
        {cause}
        {by !== undefined && ` · ${by}`}
        {at !== '' && (
          <>
            {' · '}
            <TimeAgo at={at} />
          </>
        )}
        {reason !== undefined && ` · ${reason}`}
      </span>
      <span className="ms-auto flex items-center gap-1">
        <Button
          variant="quiet"
          size="small"
          iconOnly
          icon={<ArrowUp size={15} aria-hidden="true" />}
          disabledReason={disabledReason ?? (place === 1 ? 'It is the first one.' : undefined)}
          busy={change.isPending}
          onClick={() => move(place - 1)}
        >
          Move {plan} up
        </Button>
        <Button
          variant="quiet"
          size="small"
          iconOnly
          icon={<ArrowDown size={15} aria-hidden="true" />}
          disabledReason={disabledReason ?? (place === count ? 'It is the last one.' : undefined)}
          busy={change.isPending}
          onClick={() => move(place + 1)}
        >
          Move {plan} down
        </Button>
        <Button
          variant="quiet"
          size="small"
          iconOnly
          icon={<X size={15} aria-hidden="true" />}
          disabledReason={disabledReason}
          busy={change.isPending}
          onClick={() => change.mutate({ do: 'remove', plan })}
        >
          Take {plan} off the queue
        </Button>
        <CopyChange row={row} plan={plan} place={place} count={count} />
      </span>
    </li>
  );
}
