'use client';

import { useState } from 'react';
import { useBlocks } from '@/components/access/use-access';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { objectHref } from '@/components/resources/resource-path';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { laterDialog } from '@/components/ui/later-dialog';
import { Link } from '@/components/ui/link';
import { loadPart } from '@/components/ui/load-part';
import { TimeAgo } from '@/components/ui/time-ago';
import { accessTo } from '@/lib/kube/access';
import type { LeftoverObject } from '@/lib/kudo/drift/report';

const PruneDialog = laterDialog(() => loadPart(() => import('./prune-dialog')).then((module) => module.PruneDialog));

/** Objects that earlier plans created and that no template renders now. They stay until somebody removes them. */
export function LeftoverCard({ leftovers }: { leftovers: readonly LeftoverObject[] }) {
  const { namespace } = useInstanceView();
  const [open, setOpen] = useState(false);
  const blocks = useBlocks(
    leftovers.map((object) => accessTo('delete', object, object.isShared ? undefined : namespace)),
  );
  const [firstBlock] = blocks;
  return (
    <Card
      title="Left over"
      note={`${leftovers.length} ${leftovers.length === 1 ? 'object' : 'objects'}`}
      action={
        <Button
          size="small"
          disabledReason={blocks.includes(undefined) ? undefined : firstBlock}
          onClick={() => setOpen(true)}
        >
          Remove…
        </Button>
      }
    >
      <p className="border-b px-4 py-2.5 text-ink-2">
        Earlier plans created these objects, and no template renders them now. They stay until you remove them.
      </p>
      <ul className="grid gap-1.5 px-4 py-3">
        {leftovers.map((object) => (
          <li key={object.uid} className="flex flex-wrap gap-x-3">
            <Link
              href={objectHref(object, object.isShared ? '' : namespace, object.name)}
              className="link min-w-0 break-words"
            >
              <code>
                {object.kind} {object.name}
              </code>
            </Link>
            <span className="text-ink-2">{object.isClaim && 'holds data'}</span>
            <span className="text-ink-2">{object.isShared && 'cluster-scoped'}</span>
            <span className="ms-auto text-ink-2">
              <TimeAgo at={object.createdAt} />
            </span>
          </li>
        ))}
      </ul>
      <PruneDialog
        leftovers={leftovers.filter((_, at) => blocks[at] === undefined)}
        open={open}
        onClose={() => setOpen(false)}
      />
    </Card>
  );
}
