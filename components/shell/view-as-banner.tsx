'use client';

import { Eye } from 'lucide-react';
import { useState } from 'react';
import { RequestError, request } from '@/components/live/request';
import { Button } from '@/components/ui/button';
import { showToast } from '@/components/ui/toast';

/** Who is seen, and that nothing can be changed; on every page while it lasts. */
export function ViewAsBanner({ user, groups }: { user: string; groups: readonly string[] }) {
  const [isStopping, setStopping] = useState(false);
  const stop = async () => {
    setStopping(true);
    try {
      await request('/api/view-as', { method: 'DELETE' });
      // Everything that is loaded is of the other user.
      window.location.reload();
    } catch (error) {
      setStopping(false);
      const detail = error instanceof RequestError ? error.message : 'Try again.';
      showToast({ tone: 'fail', title: `You still see the console as ${user}`, detail });
    }
  };
  return (
    <section
      aria-label="View as"
      data-view-as={user}
      className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b bg-hold-soft px-4 py-2 md:px-6"
    >
      <Eye size={15} aria-hidden="true" className="text-hold" />
      <span className="min-w-0 break-all font-medium">You see the console as {user}</span>
      <span className="min-w-0 break-words text-ink-2">
        {groups.length > 0 && `with ${groups.length === 1 ? 'group' : 'groups'} ${groups.join(', ')}. `}
        Buttons are as {user} has them; what they do is refused.
      </span>
      <span className="md:ms-auto">
        <Button size="small" onClick={() => void stop()} busy={isStopping}>
          Stop
        </Button>
      </span>
    </section>
  );
}
