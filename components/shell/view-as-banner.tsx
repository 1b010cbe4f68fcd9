'use client';

import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { RequestError, request } from '@/components/live/request';
import { announceViewChange } from '@/components/live/view-change';
import { Button } from '@/components/ui/button';
import { showToast } from '@/components/ui/toast';

/** Who is seen, and that nothing can be changed; on every page while it lasts. */
export function ViewAsBanner({ user, groups }: { user: string; groups: readonly string[] }) {
  return (
    <Banner user={user} data-view-as={user} icon={<Eye size={15} aria-hidden="true" className="text-hold" />}>
      <span className="min-w-0 break-all font-medium">You see the console as {user}</span>
      <span className="min-w-0 break-words text-ink-2">
        {groups.length > 0 && `with ${groups.length === 1 ? 'group' : 'groups'} ${groups.join(', ')}. `}
        Buttons are as {user} has them; what they do is refused.
      </span>
    </Banner>
  );
}

/** A view that does not show the cluster of the page. */
export interface RefusedViewFacts {
  readonly person: { readonly name: string };
  readonly why: 'refused' | 'unknown';
}

/** In a cluster that the view does not show: the page is the person's own, and still changes nothing. */
export function RefusedViewBanner({ view: { person, why } }: { view: RefusedViewFacts }) {
  const { name } = person;
  const reason =
    why === 'refused'
      ? `You may not view as ${name} here: that takes the right to impersonate ${name} in this cluster.`
      : `This cluster does not say whether you may view as ${name}.`;
  return (
    <Banner user={name} icon={<EyeOff size={15} aria-hidden="true" className="text-hold" />}>
      <span className="min-w-0 font-medium">You see this cluster as yourself</span>
      <span className="min-w-0 break-words text-ink-2">{reason} Nothing can be changed until you stop the view.</span>
    </Banner>
  );
}

function Banner({
  user,
  icon,
  children,
  ...marks
}: {
  user: string;
  icon: ReactNode;
  children: ReactNode;
  'data-view-as'?: string;
}) {
  const { isStopping, stop } = useStop(user);
  return (
    <section
      aria-label="View as"
      {...marks}
      className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b bg-hold-soft px-4 py-2 md:px-6"
    >
      {icon}
      {children}
      <span className="md:ms-auto">
        <Button size="small" onClick={() => void stop()} busy={isStopping}>
          Stop
        </Button>
      </span>
    </section>
  );
}

function useStop(user: string): { readonly isStopping: boolean; readonly stop: () => Promise<void> } {
  const [isStopping, setStopping] = useState(false);
  const stop = async () => {
    setStopping(true);
    try {
      await request('/api/view-as', { method: 'DELETE' });
      announceViewChange();
      // Everything that is loaded is of the other user.
      window.location.reload();
    } catch (error) {
      setStopping(false);
      const detail = error instanceof RequestError ? error.message : 'Try again.';
      showToast({ tone: 'fail', title: `You still see the console as ${user}`, detail });
    }
  };
  return { isStopping, stop };
}
