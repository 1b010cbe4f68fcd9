'use client';

import { Monitor, Moon, Sun } from 'lucide-react';
import { Menu } from '@/components/ui/menu';
import { useRouter } from '@/components/ui/navigation';
import { usePreference } from './preferences';

const icons = { system: Monitor, light: Sun, dark: Moon } as const;
const labels = { system: 'As the system', light: 'Light', dark: 'Dark' } as const;

/** Light, dark, or what the system says; and the way to all settings. */
export function ThemeMenu() {
  const theme = usePreference((store) => store.theme);
  const setTheme = usePreference((store) => store.setTheme);
  const router = useRouter();
  const Now = icons[theme];
  return (
    <Menu
      label={`Theme: ${labels[theme]}`}
      className="grid size-8 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink"
      trigger={<Now size={16} aria-hidden="true" />}
      entries={[
        ...(['system', 'light', 'dark'] as const).map((choice) => ({
          key: choice,
          label: labels[choice],
          checked: theme === choice,
          onSelect: () => setTheme(choice),
        })),
        { key: 'settings', label: 'All settings', onSelect: () => router.push('/settings') },
      ]}
    />
  );
}
