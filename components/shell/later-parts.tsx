'use client';

import { SessionDialog } from '@/components/sign-in/session-dialog';
import { Toaster } from '@/components/ui/toaster';
import { Attention } from './attention';

/** The parts of the frame that show nothing of their own when a page opens. */
export function LaterParts({ account }: { account: string | undefined }) {
  return (
    <>
      <Attention />
      <Toaster />
      {account !== undefined && <SessionDialog user={account} />}
    </>
  );
}
