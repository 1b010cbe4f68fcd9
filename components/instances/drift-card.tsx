'use client';

import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { StatusMark } from '@/components/ui/status';
import type { DriftedObject } from '@/lib/kudo/upkeep/report';
import { useUpkeepAction } from './use-upkeep-action';

interface DriftCardProps {
  drifted: readonly DriftedObject[];
  notes: readonly string[];
  selfHeal: boolean;
}

/** Objects that are not as the last plan left them, each with what is otherwise and a button that puts it back. */
export function DriftCard({ drifted, notes, selfHeal }: DriftCardProps) {
  const restore = useUpkeepAction('restore', { done: 'Restored', failed: 'was not restored' });
  const busyKey = restore.isPending ? keyOf(restore.variables) : undefined;
  return (
    <Card
      title="Changed outside"
      note={`${drifted.length} ${drifted.length === 1 ? 'object' : 'objects'}`}
      action={
        drifted.length > 1 && (
          <Button size="small" busy={restore.isPending && busyKey === undefined} onClick={() => restore.mutate({})}>
            Restore all
          </Button>
        )
      }
    >
      <p className="border-b px-4 py-2.5 text-ink-2">
        {selfHeal
          ? 'These are not as the last plan left them. Self-repair is on and puts them back.'
          : 'These are not as the last plan left them. The button puts them back; so does the next plan that applies them, where the change does not stand in its way.'}
      </p>
      {notes.map((note) => (
        <p key={note} className="border-b px-4 py-2.5 text-ink-2">
          {note}
        </p>
      ))}
      <ul>
        {drifted.map((object) => (
          <li
            key={object.key}
            className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b px-4 py-3 last:border-b-0"
          >
            <StatusMark status="drifted" className="mt-0.5" />
            <div className="min-w-0 flex-1 basis-52 break-words">
              <code>
                {object.kind} {object.name}
              </code>
              {object.state === 'missing' && <p className="text-ink-2">is missing</p>}
              {object.state === 'changed' && <Words words={object.words} />}
            </div>
            <Button
              size="small"
              aria-label={`Restore ${object.kind} ${object.name}`}
              busy={busyKey === object.key}
              disabledReason={restore.isPending && busyKey !== object.key ? 'Something is being restored.' : undefined}
              onClick={() => restore.mutate({ keys: [object.key] })}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** One line for each field. */
function Words({ words }: { words: string }) {
  return (
    <ul className="text-ink-2">
      {words.split('; ').map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** The one object that a restore is about; undefined for all. */
function keyOf(variables: unknown): string | undefined {
  const keys = typeof variables === 'object' && variables !== null && 'keys' in variables ? variables.keys : undefined;
  return Array.isArray(keys) && typeof keys[0] === 'string' ? keys[0] : undefined;
}
