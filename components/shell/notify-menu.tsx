'use client';

import { Bell, BellOff } from 'lucide-react';
import { Menu } from '@/components/ui/menu';
import { showToast } from '@/components/ui/toast';
import { usePreference } from './preferences';

/** Turns notifications of the browser on and off; the browser is asked for its permission only here. */
export function NotifyMenu() {
  const notify = usePreference((store) => store.notify);
  const setNotify = usePreference((store) => store.setNotify);
  const Now = notify ? Bell : BellOff;
  const turnOn = async () => {
    const isAllowed = 'Notification' in window && (await Notification.requestPermission()) === 'granted';
    if (isAllowed) return setNotify(true);
    showToast({
      tone: 'fail',
      title: 'The browser does not allow notifications',
      detail: 'Allow them for this page in the settings of the browser, then turn them on again.',
    });
  };
  return (
    <Menu
      label={`Browser notifications: ${notify ? 'on' : 'off'}`}
      className="grid size-8 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink max-sm:hidden"
      trigger={<Now size={16} aria-hidden="true" />}
      entries={[
        {
          key: 'on',
          label: 'Notify me when a run that I started needs me',
          checked: notify,
          onSelect: () => void turnOn(),
        },
        { key: 'off', label: 'No notifications', checked: !notify, onSelect: () => setNotify(false) },
      ]}
    />
  );
}
