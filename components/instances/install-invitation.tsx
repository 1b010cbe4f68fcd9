'use client';

import { usePreference } from '@/components/shell/preferences';
import { Button, LinkButton } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

/** What stands where Instances would: how to get the first one, or that the scope hides those that there are. */
export function InstallInvitation({ hidden = 0 }: { hidden?: number }) {
  const namespace = usePreference((store) => store.namespace);
  const setNamespace = usePreference((store) => store.setNamespace);
  const install = (
    <LinkButton href="/install" variant="primary">
      Install an operator
    </LinkButton>
  );
  if (hidden > 0) {
    return (
      <EmptyState
        title={`No instance in namespace ${namespace ?? ''}`}
        action={
          <>
            <Button onClick={() => setNamespace(undefined)}>Show all namespaces</Button>
            {install}
          </>
        }
      >
        {hidden === 1 ? 'One stands in another namespace.' : `${hidden} stand in other namespaces.`}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No instance yet"
      action={
        <>
          {install}
          <LinkButton href="/operators">See the catalogue</LinkButton>
        </>
      }
    >
      An instance is one running copy of what an operator knows to run: a database, a queue, a web server. Install one
      and watch its deploy plan.
    </EmptyState>
  );
}
