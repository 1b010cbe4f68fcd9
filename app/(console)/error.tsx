'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';

/** A bug in a page, with the id that finds it in the log. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
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
