'use client';

import { useId } from 'react';
import { ShortcutList } from '@/components/help/shortcuts';
import { usePreference } from '@/components/shell/preferences';
import { useNotifications } from '@/components/shell/use-notifications';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { useRouter } from '@/components/ui/navigation';
import { PageHeader } from '@/components/ui/page-header';
import { Switch } from '@/components/ui/switch';
import { ChoiceGroup } from './choice-group';
import { TimeZoneSetting } from './time-zone-setting';

/** What a person chooses for this browser: how the console looks, in which zone times are, what it notifies of. */
export function SettingsPage() {
  return (
    <>
      <PageHeader title="Settings" note="They are kept in this browser, and take effect at once." />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1.65fr)_minmax(0,1fr)]">
        <div className="grid gap-4">
          <Card title="Look" padded>
            <Look />
          </Card>
          <Card title="Times" padded>
            <TimeZoneSetting />
          </Card>
          <Card title="Notifications" padded>
            <Notifications />
          </Card>
          <Card title="Tour" padded>
            <ShowTour />
          </Card>
        </div>
        <Card title="Keyboard shortcuts" padded>
          <ShortcutList />
        </Card>
      </div>
    </>
  );
}

function Look() {
  const { theme, setTheme, contrast, setContrast, density, setDensity } = usePreference((store) => store);
  return (
    <div className="grid gap-4">
      <ChoiceGroup
        label="Theme"
        choices={[
          ['system', 'As the system'],
          ['light', 'Light'],
          ['dark', 'Dark'],
        ]}
        value={theme}
        onChange={setTheme}
      />
      <ChoiceGroup
        label="Contrast"
        choices={[
          ['system', 'As the system'],
          ['more', 'More'],
        ]}
        value={contrast}
        onChange={setContrast}
      />
      <ChoiceGroup
        label="Rows of tables"
        choices={[
          ['comfortable', 'Comfortable'],
          ['compact', 'Compact', 'more rows at once'],
        ]}
        value={density}
        onChange={setDensity}
      />
    </div>
  );
}

function Notifications() {
  const id = useId();
  const { isOn, turn } = useNotifications();
  return (
    <div className="flex items-center gap-3">
      <Switch id={id} checked={isOn} onChange={turn} />
      <label htmlFor={id}>Notify me when a run that I started needs me, fails or ends</label>
    </div>
  );
}

function ShowTour() {
  const router = useRouter();
  const setHasSeenTour = usePreference((store) => store.setHasSeenTour);
  const show = () => {
    setHasSeenTour(false);
    router.push('/');
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="min-w-0 flex-1 basis-64 text-ink-2">Three steps on the overview that show where things are.</p>
      <Button size="small" onClick={show}>
        Show the tour
      </Button>
    </div>
  );
}
