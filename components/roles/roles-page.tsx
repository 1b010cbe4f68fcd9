'use client';

import { useMemo } from 'react';
import { useUrlState } from '@/components/resources/use-url-state';
import { useNamespaceScope } from '@/components/shell/preferences';
import { RefusedScope } from '@/components/shell/refused-scope';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import { SearchInput } from '@/components/ui/search-input';
import { TopicState } from '@/components/ui/topic-state';
import { filterRoleRows } from '@/lib/kudo/view/role-rows';
import { CheckSubject } from './check-subject';
import { RoleTable } from './role-table';
import { useRoles } from './use-roles';

/** Who may do what with operators, from RBAC, and what another user may do. */
export function RolesPage() {
  const namespace = useNamespaceScope();
  const { data, error } = useRoles(namespace);
  const [text, setText] = useUrlState('filter');
  const rows = data?.rows ?? [];
  const shown = useMemo(() => filterRoleRows(data?.rows ?? [], text), [data, text]);
  const status = statusOf(data !== undefined, error?.status);
  const view = { status, ...(error === null ? {} : { message: error.message }) };
  return (
    <>
      <PageHeader title="Roles" note={rows.length > 0 && String(rows.length)}>
        {rows.length > 0 && (
          <SearchInput
            label="Filter"
            placeholder="Filter by user, group, namespace, role…"
            value={text}
            onChange={setText}
          />
        )}
      </PageHeader>
      <CheckSubject key={namespace ?? ''} namespace={namespace} />
      {data !== undefined && data.refusals.length > 0 && (
        <Notice tone="hold" title="Some roles and bindings are missing here" className="mb-4">
          {data.refusals.join('. ')}
        </Notice>
      )}
      <section className="card overflow-clip" aria-label="Who may do what">
        <TopicState view={view} what="roles and bindings" />
        <RefusedScope view={view} />
        {status === 'ready' && rows.length === 0 && (
          <EmptyState title="No binding lets anybody do something with operators" guide="rights">
            Bind ClusterRole view, edit or admin to a person or a group in a namespace.
          </EmptyState>
        )}
        {rows.length > 0 && shown.length === 0 && (
          <EmptyState
            title="No binding matches the filter"
            action={<Button onClick={() => setText('')}>Clear the filter</Button>}
          />
        )}
        {shown.length > 0 && <RoleTable rows={shown} />}
      </section>
    </>
  );
}

/** What was read before stays while the server does not answer. */
function statusOf(isKnown: boolean, refusal: number | undefined): 'ready' | 'loading' | 'forbidden' | 'failed' {
  if (refusal === 403) return 'forbidden';
  if (isKnown) return 'ready';
  return refusal === undefined ? 'loading' : 'failed';
}
