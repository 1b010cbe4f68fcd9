'use client';

import { useEffect, useState } from 'react';
import { withBasePath } from '@/components/ui/base-path';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { useSession } from './use-session';

/** A tab of its own for the sign-in, so that this one keeps what was typed. */
const SIGN_IN = '/sign-in?to=/sign-in/done';

/** Says that the session has ended, over whatever the page shows, and offers to sign in again beside it. */
export function SessionDialog({ user }: { user: string }) {
  const { state, ask } = useSession(user);
  const [dismissed, setDismissed] = useState(false);
  useEffect(() => {
    if (state.kind === 'signed-in') setDismissed(false);
  }, [state.kind]);
  if (state.kind === 'other') {
    return (
      <Dialog
        open={!dismissed}
        onClose={() => setDismissed(true)}
        title={`You are now signed in as ${state.user}`}
        footer={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
      >
        <p>
          This page was opened by {user}, and shows what {user} may see. Copy what you have typed, then reload the page.
        </p>
      </Dialog>
    );
  }
  return (
    <Dialog
      open={state.kind === 'ended' && !dismissed}
      onClose={() => setDismissed(true)}
      title="Your session has ended"
      footer={
        <>
          <Button onClick={ask}>I have signed in</Button>
          <Button variant="primary" data-first-focus="" onClick={() => window.open(withBasePath(SIGN_IN), '_blank')}>
            Sign in again
          </Button>
        </>
      }
    >
      <p>
        Sign in again in a new tab. This page keeps what you have typed, and continues as soon as you are signed in as{' '}
        {user}.
      </p>
    </Dialog>
  );
}
