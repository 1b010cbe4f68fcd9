'use client';

import { isPartMissing } from '@/components/ui/part-missing';

/**
 * What the frame around the pages cannot say itself, because it is what failed: the console was updated, or it has a bug. It imports no component: every page
 * would load a second copy of it.
 */
export default function FrameErrorPage({ error }: { error: Error & { digest?: string } }) {
  const isUpdated = isPartMissing(error);
  return (
    <main className="mx-auto grid max-w-2xl justify-items-start gap-3 p-6" role="alert">
      <h1 className="font-semibold text-lg">{isUpdated ? 'The console has been updated' : 'The console failed'}</h1>
      <p className="text-ink-2">
        {isUpdated ? 'This page is of the version before.' : 'This is a bug in the console.'} Nothing was changed in
        your cluster, and drafts are kept.
        {error.digest !== undefined && (
          <>
            {' '}
            The log has the details under <code>{error.digest}</code>.
          </>
        )}
      </p>
      <button type="button" className="btn" data-variant="default" data-size="normal" onClick={() => location.reload()}>
        Reload the page
      </button>
    </main>
  );
}
