'use client';

import type { ComponentProps } from 'react';
import ErrorPage from './(console)/error';

/** What the frame around the pages cannot say itself, because it is what failed: one of its parts is missing, or it has a bug. */
export default function FrameErrorPage(props: ComponentProps<typeof ErrorPage>) {
  return (
    <main className="mx-auto max-w-2xl p-6">
      <ErrorPage {...props} />
    </main>
  );
}
