'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { RequestError } from '@/components/live/request';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import { RoleToAskFor } from '@/components/ui/role-to-ask-for';
import { SkeletonRows } from '@/components/ui/skeleton';
import { roleForRefusal } from '@/lib/kube/role-for-refusal';
import type { RepositoryInfo } from '@/lib/kudo/repository/repository-info';
import { FoundPackages } from './found-packages';
import { RemoveRepositoryDialog } from './remove-repository-dialog';
import { RepositoryDialog } from './repository-dialog';
import { RepositoryTable } from './repository-table';
import { useRepositories } from './use-repositories';

/** The repositories of this console: how each is, what they have, and the way to add, change and remove one. */
export function RepositoriesPage() {
  const { data, error, rows } = useRepositories();
  const [edited, setEdited] = useState<RepositoryInfo | 'new'>();
  const [removed, setRemoved] = useState<RepositoryInfo>();
  const add = (
    <Button variant="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={() => setEdited('new')}>
      Add repository
    </Button>
  );
  return (
    <>
      <PageHeader title="Repositories" note={data !== undefined && String(rows.length)} actions={add} />
      {error !== null && <Failure error={error} />}
      <section className="card mb-4 overflow-clip" aria-label="Repositories">
        {data === undefined && error === null && <SkeletonRows rows={3} />}
        {rows.length > 0 && <RepositoryTable rows={rows} onEdit={setEdited} onRemove={setRemoved} />}
        {data !== undefined && rows.length === 0 && (
          <EmptyState title="This console has no repositories" guide="repositories">
            Add a folder with an index.yaml at an https address, or a path of an OCI registry. The packages that come
            with Bravo are on the page Operators.
          </EmptyState>
        )}
      </section>
      {rows.length > 0 && <FoundPackages rows={rows} />}
      <RepositoryDialog edited={edited} onClose={() => setEdited(undefined)} />
      <RemoveRepositoryDialog repository={removed} onClose={() => setRemoved(undefined)} />
    </>
  );
}

function Failure({ error }: { error: RequestError }) {
  const role = roleForRefusal(error.message);
  const titles: { readonly [status: number]: string } = {
    0: 'The console does not answer',
    403: 'You may not see the repositories',
  };
  return (
    <Notice
      tone={error.status === 403 ? 'hold' : 'wait'}
      title={titles[error.status] ?? 'The repositories cannot be read'}
      className="mb-4"
    >
      {error.message}
      {role !== undefined && <RoleToAskFor role={role} />}
    </Notice>
  );
}
