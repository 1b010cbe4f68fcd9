'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { useRouter } from '@/components/ui/navigation';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import { SkeletonRows } from '@/components/ui/skeleton';
import { TimeAgo } from '@/components/ui/time-ago';
import { showToast } from '@/components/ui/toast';
import { formatTime } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import type { PackageSummary } from '@/lib/kudo/package/catalogue';
import type { PackageFiles } from '@/lib/kudo/package/types';
import { titleOfFiles } from '@/lib/workshop/draft-version';
import { DeleteDraftDialog } from './delete-draft-dialog';
import type { Draft, DraftOrigin } from './draft-db';
import { draftPath, newDraft } from './new-draft';
import { ForkCard, NewCard, OpenCard } from './open-cards';
import { useDrafts } from './use-drafts';

/** The workshop without a draft: the drafts of this browser, and the ways to another one. */
export function StartPage({ packages }: { packages: readonly PackageSummary[] }) {
  const { drafts, problem, reload } = useDrafts();
  const [refused, setRefused] = useState<string>();
  const [deleting, setDeleting] = useState<Draft>();
  const router = useRouter();
  /** Opens what `load` gives as a new draft; a refusal is shown on the page. */
  const open = async (
    load: () => Promise<{ files: PackageFiles; leftOut?: readonly string[] }>,
    origin?: DraftOrigin,
  ) => {
    setRefused(undefined);
    try {
      const { files, leftOut = [] } = await load();
      const id = await newDraft(files, origin);
      if (leftOut.length > 0) {
        const title = `${leftOut.length} ${leftOut.length === 1 ? 'file was' : 'files were'} left out`;
        showToast({ tone: 'wait', title, detail: `No text of a package: ${leftOut.slice(0, 3).join(', ')}` });
      }
      router.push(draftPath(id));
    } catch (error) {
      setRefused(messageOf(error));
    }
  };
  return (
    <>
      <PageHeader title="Workshop" note="Make a package, or change one" />
      {refused !== undefined && (
        <Notice tone="fail" alert title="Not opened" className="mb-4">
          {refused}
        </Notice>
      )}
      <div className="mb-4 grid items-stretch gap-4 md:grid-cols-3">
        <NewCard onOpen={open} />
        <OpenCard onOpen={open} />
        <ForkCard packages={packages} onOpen={open} />
      </div>
      <Card title="Drafts" note={drafts === undefined ? undefined : String(drafts.length)}>
        {problem !== undefined && (
          <Notice tone="fail" title="This browser keeps no drafts" className="m-4">
            {problem} Allow this site to store data, and reload the page.
          </Notice>
        )}
        {problem === undefined && drafts === undefined && <SkeletonRows rows={3} />}
        {drafts?.length === 0 && (
          <EmptyState title="No drafts yet" guide="workshop">
            A draft is stored in this browser, for your account, while you edit. Others see it when you download or
            install it.
          </EmptyState>
        )}
        <ul className="divide-y divide-line">
          {drafts?.map((draft) => (
            <DraftLine key={draft.id} draft={draft} onDelete={() => setDeleting(draft)} />
          ))}
        </ul>
      </Card>
      <DeleteDraftDialog
        draft={deleting}
        onClose={() => setDeleting(undefined)}
        onDeleted={() => {
          setDeleting(undefined);
          void reload();
        }}
      />
    </>
  );
}

function DraftLine({ draft, onDelete }: { draft: Draft; onDelete: () => void }) {
  const { name, operatorVersion, appVersion } = titleOfFiles(draft.files);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <span className="min-w-0 flex-1 basis-60">
        <Link className="link font-semibold text-md" href={draftPath(draft.id)}>
          {name || 'Package without a name'}
        </Link>{' '}
        <code className="text-ink-2">{[appVersion, operatorVersion].filter(Boolean).join(' / ')}</code>
        <span className="block text-ink-2">
          {draft.files.size} {draft.files.size === 1 ? 'file' : 'files'}
          {draft.origin !== undefined && `, forked from ${draft.origin.name} ${draft.origin.key}`}
        </span>
      </span>
      <span className="text-ink-2">
        changed <TimeAgo at={formatTime(draft.changedMs)} />
      </span>
      <span className="text-ink-3">
        created <TimeAgo at={formatTime(draft.createdMs)} />
      </span>
      <Button size="small" variant="danger" onClick={onDelete} aria-label={`Delete draft ${name}`}>
        Delete
      </Button>
    </li>
  );
}
