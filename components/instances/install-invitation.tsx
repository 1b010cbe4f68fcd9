import { LinkButton } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

/** What stands where Instances would: how to get the first one. */
export function InstallInvitation() {
  return (
    <EmptyState
      title="No instance yet"
      action={
        <>
          <LinkButton href="/install" variant="primary">
            Install an operator
          </LinkButton>
          <LinkButton href="/operators">See the catalogue</LinkButton>
        </>
      }
    >
      An instance is one running copy of what an operator knows to run: a database, a queue, a web server. Install one
      and watch its deploy plan.
    </EmptyState>
  );
}
