'use client';

import { Button } from './button';
import { Notice } from './notice';
import { isPartMissing } from './part-missing';

/** A bug in a page, with the id that finds it in the log; or a page that is older than the console. */
export function FailedPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  if (isPartMissing(error))
    return (
      <Notice
        tone="wait"
        alert
        title="The console has been updated"
        action={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
      >
        This page is of the version before. Nothing was changed in your cluster, and drafts are kept.
      </Notice>
    );
  return (
    <Notice tone="fail" alert title="This page failed" action={<Button onClick={reset}>Try again</Button>}>
      This is a bug in the console. Nothing was changed in your cluster.
      {error.digest !== undefined && (
        <>
          {' '}
          The log has the details under <code>{error.digest}</code>.
        </>
      )}
    </Notice>
  );
}
