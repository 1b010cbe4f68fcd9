'use client';

import { useBlocks } from '@/components/access/use-access';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { useKinds } from '@/components/resources/use-kinds';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { StatusMark } from '@/components/ui/status';
import { type AccessQuestion, accessTo } from '@/lib/kube/access';
import { parseApiVersion } from '@/lib/kube/object';
import type { DriftedObject } from '@/lib/kudo/drift/report';
import { useDriftAction } from './use-drift-action';

interface DriftCardProps {
  drifted: readonly DriftedObject[];
  notes: readonly string[];
  selfHeal: boolean;
}

/** Objects that differ from what the last plan applied, each with the difference and a button that restores it. */
export function DriftCard({ drifted, notes, selfHeal }: DriftCardProps) {
  const restore = useDriftAction('restore', {
    done: 'Restored',
    failed: 'was not restored',
    failedAll: 'were not restored',
  });
  const blocks = useRestoreBlocks(drifted);
  const [firstBlock] = blocks;
  const busyKey = restore.isPending ? keyOf(restore.variables) : undefined;
  return (
    <Card
      title="Changed outside"
      note={`${drifted.length} ${drifted.length === 1 ? 'object' : 'objects'}`}
      action={
        drifted.length > 1 && (
          <Button
            size="small"
            busy={restore.isPending && busyKey === undefined}
            disabledReason={blocks.includes(undefined) ? undefined : firstBlock}
            onClick={() => restore.mutate({})}
          >
            Restore all
          </Button>
        )
      }
    >
      <p className="border-b px-4 py-2.5 text-ink-2">
        {selfHeal
          ? 'These objects differ from what the last plan applied. Self-heal is on and restores them.'
          : 'These objects differ from what the last plan applied. Self-heal is off: restore them here, or run the plan again.'}
      </p>
      {notes.map((note) => (
        <p key={note} className="border-b px-4 py-2.5 text-ink-2">
          {note}
        </p>
      ))}
      <ul>
        {drifted.map((object, at) => (
          <li
            key={object.key}
            className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b px-4 py-3 last:border-b-0"
          >
            <StatusMark status="drifted" className="mt-0.5" />
            <div className="min-w-0 flex-1 basis-52 break-words">
              <code>
                {object.kind} {object.name}
              </code>
              {object.state === 'missing' && <p className="text-ink-2">was deleted</p>}
              {object.state === 'changed' && <Words words={object.words} />}
            </div>
            <Button
              size="small"
              aria-label={`Restore ${object.kind} ${object.name}`}
              busy={busyKey === object.key}
              disabledReason={
                blocks[at] ??
                (restore.isPending && busyKey !== object.key ? 'Another object is being restored.' : undefined)
              }
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

/** Why this person cannot restore each object: a missing one is created, a changed one is patched. */
function useRestoreBlocks(drifted: readonly DriftedObject[]): readonly (string | undefined)[] {
  const { namespace } = useInstanceView();
  const kinds = useKinds() ?? [];
  const questionOf = ({ apiVersion, kind, state }: DriftedObject): AccessQuestion | undefined => {
    const { group } = parseApiVersion(apiVersion);
    const found = kinds.find((each) => each.group === group && each.kind === kind);
    const verb = state === 'missing' ? 'create' : 'patch';
    return found && accessTo(verb, found, found.namespaced ? namespace : undefined);
  };
  return useBlocks(drifted.map(questionOf));
}

/** One line per field. */
function Words({ words }: { words: string }) {
  return (
    <ul className="text-ink-2">
      {words.split('; ').map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** The object that is being restored; undefined for all. */
function keyOf(variables: unknown): string | undefined {
  const keys = typeof variables === 'object' && variables !== null && 'keys' in variables ? variables.keys : undefined;
  return Array.isArray(keys) && typeof keys[0] === 'string' ? keys[0] : undefined;
}
