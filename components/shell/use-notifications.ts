'use client';

import { showToast } from '@/components/ui/toast';
import { usePreference } from './preferences';

/** Notifications of the browser; it is asked for its permission only when a person turns them on. */
export function useNotifications(): { readonly isOn: boolean; readonly turn: (on: boolean) => void } {
  const isOn = usePreference((store) => store.notify);
  const setNotify = usePreference((store) => store.setNotify);
  const turnOn = async () => {
    const isAllowed = 'Notification' in window && (await Notification.requestPermission()) === 'granted';
    if (isAllowed) return setNotify(true);
    showToast({
      tone: 'fail',
      title: 'The browser does not allow notifications',
      detail: 'Allow them for this page in the settings of the browser, then turn them on again.',
    });
  };
  return { isOn, turn: (on) => (on ? void turnOn() : setNotify(false)) };
}
