'use client';

import { nouns } from '@/components/help/nouns';
import { usePreference } from '@/components/shell/preferences';
import { Button, LinkButton } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

/** The words that a newcomer needs for the first installation. */
const FIRST_NOUNS: readonly string[] = ['Operator', 'Instance', 'Plan'];

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
      guide="console"
      action={
        <>
          {install}
          <LinkButton href="/operators">See the catalogue</LinkButton>
        </>
      }
    >
      <p>Install an operator, and watch its plan deploy.</p>
      <dl className="mt-3 grid gap-1.5 text-start">
        {nouns
          .filter(([noun]) => FIRST_NOUNS.includes(noun))
          .map(([noun, meaning]) => (
            <div key={noun}>
              <dt className="inline font-semibold text-ink">{noun}:</dt> <dd className="inline">{meaning}</dd>
            </div>
          ))}
      </dl>
    </EmptyState>
  );
}
