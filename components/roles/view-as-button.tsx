'use client';

import { Eye } from 'lucide-react';
import { useState } from 'react';
import { serverPath } from '@/components/live/address';
import { RequestError, request } from '@/components/live/request';
import { announceViewChange } from '@/components/live/view-change';
import { Button } from '@/components/ui/button';
import { showToast } from '@/components/ui/toast';

/** Shows the whole console as that user sees it, until the person stops it. */
export function ViewAsButton({ user, groups }: { user: string; groups: readonly string[] }) {
  const [isStarting, setStarting] = useState(false);
  const start = async () => {
    setStarting(true);
    try {
      await request('/api/view-as', { method: 'POST', body: { user, groups } });
      announceViewChange();
      // Everything that is loaded is of this person.
      window.location.assign(serverPath('/'));
    } catch (error) {
      setStarting(false);
      const detail = error instanceof RequestError ? error.message : 'Try again.';
      showToast({ tone: 'fail', title: `You do not see the console as ${user}`, detail });
    }
  };
  return (
    <Button
      icon={<Eye size={15} aria-hidden="true" />}
      disabledReason={user === '' ? 'Enter a user: Kubernetes impersonates groups together with one.' : undefined}
      busy={isStarting}
      onClick={() => void start()}
    >
      View as
    </Button>
  );
}
