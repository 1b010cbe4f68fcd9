'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';

/** A bug in a page: said as such, with the word that finds it in the log. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <Notice tone="fail" alert title="This page broke" action={<Button onClick={reset}>Try again</Button>}>
      It is a mistake in the console, not in your cluster; nothing was changed.
      {error.digest !== undefined && (
        <>
          {' '}
          The log tells more under <code>{error.digest}</code>.
        </>
      )}
    </Notice>
  );
}
