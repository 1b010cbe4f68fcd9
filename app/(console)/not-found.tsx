import { LinkButton } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

/** An address without a page. */
export default function NotFound() {
  return (
    <section className="card">
      <EmptyState
        heading
        title="This page does not exist"
        action={
          <>
            <LinkButton href="/" variant="primary">
              Overview
            </LinkButton>
            <LinkButton href="/instances">Instances</LinkButton>
          </>
        }
      >
        The address is wrong, or the object was deleted.
      </EmptyState>
    </section>
  );
}
