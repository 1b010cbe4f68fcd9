import { Fragment } from 'react';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { GUIDE_PAGES } from '@/lib/guide/pages';
import { nouns } from './nouns';
import { ShortcutList } from './shortcuts';

/** The words of the product, the shortcuts, and the guide. */
export function HelpPage() {
  return (
    <>
      <PageHeader title="Help" />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1.65fr)_minmax(0,1fr)]">
        <Card title="Glossary" padded>
          <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[140px_minmax(0,1fr)]">
            {nouns.map(([noun, meaning]) => (
              <Fragment key={noun}>
                <dt className="font-semibold">{noun}</dt>
                <dd className="text-ink-2 max-sm:mb-1.5">{meaning}</dd>
              </Fragment>
            ))}
          </dl>
        </Card>
        <div className="grid gap-4">
          <Card title="Keyboard shortcuts" padded>
            <ShortcutList />
          </Card>
          <Card title="First steps" padded>
            <ol className="grid list-decimal gap-1 ps-5 text-ink-2">
              <li>
                <Link href="/install" className="text-accent underline underline-offset-2">
                  Install an operator
                </Link>{' '}
                and watch its plan deploy.
              </li>
              <li>
                Open the{' '}
                <Link href="/instances" className="text-accent underline underline-offset-2">
                  instance
                </Link>
                , change a parameter and review what the change does.
              </li>
              <li>Run one of its plans, for example a backup.</li>
            </ol>
          </Card>
          <Card title="Support" padded>
            <p className="text-ink-2">
              <Link href="/status" className="text-accent underline underline-offset-2">
                Status
              </Link>{' '}
              shows how console, controller and API server are, and copies that as text for a ticket.{' '}
              <Link href="/activity" className="text-accent underline underline-offset-2">
                Activity
              </Link>{' '}
              lists who did what.
            </p>
          </Card>
          <Card title="Guide" padded>
            <ul className="grid gap-1.5">
              {GUIDE_PAGES.map(([page, title]) => (
                <li key={page}>
                  <Link href={`/help/${page}`} className="link text-accent" prefetch={false}>
                    {title}
                  </Link>
                </li>
              ))}
            </ul>
          </Card>
        </div>
      </div>
    </>
  );
}
