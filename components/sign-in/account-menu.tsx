'use client';

import { CircleUser, LogOut } from 'lucide-react';
import { RequestError, request } from '@/components/live/request';
import { withBasePath } from '@/components/ui/base-path';
import { Menu } from '@/components/ui/menu';
import { showToast } from '@/components/ui/toast';

/** The person's name, and the ways out. */
export function AccountMenu({ user }: { user: string }) {
  return (
    <Menu
      label={`Signed in as ${user}`}
      className="grid size-8 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink"
      trigger={<CircleUser size={16} aria-hidden="true" />}
      header={
        <p className="mb-1 border-b px-2.5 pt-1.5 pb-2 text-ink-2 text-xs">
          Signed in as <span className="block break-all font-medium text-ink text-sm">{user}</span>
        </p>
      }
      entries={[
        {
          key: 'out',
          label: 'Sign out',
          icon: <LogOut size={14} aria-hidden="true" />,
          onSelect: () => void signOut(false),
        },
        { key: 'everywhere', label: 'Sign out everywhere', onSelect: () => void signOut(true) },
      ]}
    />
  );
}

async function signOut(everywhere: boolean): Promise<void> {
  try {
    const { to } = await request<{ to: string }>('/api/auth/sign-out', { method: 'POST', body: { everywhere } });
    window.location.assign(to.startsWith('/') ? withBasePath(to) : to);
  } catch (error) {
    const detail = error instanceof RequestError ? error.message : 'Try again.';
    showToast({ tone: 'fail', title: 'You are still signed in', detail });
  }
}
