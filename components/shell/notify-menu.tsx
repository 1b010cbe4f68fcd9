'use client';

import { Bell, BellOff } from 'lucide-react';
import { Menu } from '@/components/ui/menu';
import { useNotifications } from './use-notifications';

/** Turns notifications of the browser on and off. */
export function NotifyMenu() {
  const { isOn, turn } = useNotifications();
  const Now = isOn ? Bell : BellOff;
  return (
    <Menu
      label={`Browser notifications: ${isOn ? 'on' : 'off'}`}
      className="grid size-8 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink max-sm:hidden"
      trigger={<Now size={16} aria-hidden="true" />}
      entries={[
        {
          key: 'on',
          label: 'Notify me when a run that I started needs me',
          checked: isOn,
          onSelect: () => turn(true),
        },
        { key: 'off', label: 'No notifications', checked: !isOn, onSelect: () => turn(false) },
      ]}
    />
  );
}
