import { LinkButton } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

/** An address of the console that leads nowhere. */
export default function NotFound() {
  return (
    <section className="card">
      <EmptyState
        heading
        title="There is no such page"
        action={
          <>
            <LinkButton href="/" variant="primary">
              Overview
            </LinkButton>
            <LinkButton href="/instances">Instances</LinkButton>
          </>
        }
      >
        The address may be mistyped, or what it named is gone.
      </EmptyState>
    </section>
  );
}
