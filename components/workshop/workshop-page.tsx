'use client';

import dynamic from 'next/dynamic';
import { useEffect, useRef, useState } from 'react';
import { LinkButton } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { loadPart } from '@/components/ui/load-part';
import { useRouter } from '@/components/ui/navigation';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { messageOf } from '@/lib/errors/errors';
import type { PackageSummary } from '@/lib/kudo/package/catalogue';
import { loadPackageFiles } from './changes-panel';
import type { DraftOrigin } from './draft-db';
import { draftPath, newDraft } from './new-draft';
import type { RunTarget } from './run-dialog';
import { StartPage } from './start-page';
import { useDraft } from './use-draft';

const WorkshopEditor = dynamic(
  () => loadPart(() => import('./workshop-editor')).then((module) => module.WorkshopEditor),
  {
    ssr: false,
    loading: () => <Opening title="Opening the draft…" />,
  },
);

/** The workshop: a draft, a fork that becomes one, or the choice among them. */
export function WorkshopPage({
  draft,
  fork,
  packages,
  target,
}: {
  draft: string | undefined;
  fork: DraftOrigin | undefined;
  packages: readonly PackageSummary[];
  target: RunTarget;
}) {
  if (draft !== undefined) return <OpenDraftPage key={draft} id={draft} packages={packages} target={target} />;
  if (fork !== undefined) return <Forking origin={fork} />;
  return <StartPage packages={packages} />;
}

function OpenDraftPage({
  id,
  packages,
  target,
}: {
  id: string;
  packages: readonly PackageSummary[];
  target: RunTarget;
}) {
  const opened = useDraft(id);
  switch (opened.status) {
    case 'loading':
      return <Opening title="Opening the draft…" />;
    case 'ready':
      return <WorkshopEditor keeper={opened.keeper} packages={packages} target={target} />;
    case 'failed':
      return (
        <Notice tone="fail" title={<h1>The draft could not be opened</h1>} action={<ToWorkshop />}>
          {opened.message}
        </Notice>
      );
    case 'missing':
      return (
        <Card>
          <EmptyState heading title="This draft does not exist" action={<ToWorkshop />}>
            It was deleted, or it belongs to another browser or another account.
          </EmptyState>
        </Card>
      );
  }
}

/** Copies a package of the catalogue into a new draft, and goes there. */
function Forking({ origin }: { origin: DraftOrigin }) {
  const router = useRouter();
  const isForked = useRef(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    // React runs effects twice in development; one fork is one draft.
    if (isForked.current) return;
    isForked.current = true;
    loadPackageFiles(origin.name, origin.key)
      .then((files) => newDraft(files, origin))
      .then(
        (id) => router.replace(draftPath(id)),
        (error: unknown) => setProblem(messageOf(error)),
      );
  }, [origin, router]);
  if (problem === undefined) return <Opening title={`Forking ${origin.name} ${origin.key}…`} />;
  return (
    <Notice
      tone="fail"
      title={
        <h1>
          {origin.name} {origin.key} could not be forked
        </h1>
      }
      action={<ToWorkshop />}
    >
      {problem}
    </Notice>
  );
}

function Opening({ title }: { title: string }) {
  return (
    <Card>
      <h1 className="px-4 pt-4 font-semibold text-md">{title}</h1>
      <SkeletonRows />
    </Card>
  );
}

function ToWorkshop() {
  return <LinkButton href="/workshop">All drafts</LinkButton>;
}
