'use client';

import { usePreference } from '@/components/shell/preferences';
import { Button, LinkButton } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

/** An empty list of Instances: how to install the first one, or that the others are in other namespaces. */
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
        {hidden === 1 ? '1 more in another namespace.' : `${hidden} more in other namespaces.`}
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
