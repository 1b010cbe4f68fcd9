'use client';

import { useEffect } from 'react';
import { announceSignIn } from './session-channel';
import { SignInFrame } from './sign-in-frame';

/** The end of a sign-in in a tab of its own: the tabs that wait for it are told, and this one closes where the browser lets it. */
export function SignedInPage() {
  useEffect(() => {
    announceSignIn();
    window.close();
  }, []);
  return <SignInFrame title="You are signed in" note="Close this tab and go back to where you were." />;
}
