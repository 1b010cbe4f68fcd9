'use client';

import { type ReactNode, useState } from 'react';
import { usePreference } from '@/components/shell/preferences';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { Link } from '@/components/ui/link';

interface TourStep {
  readonly title: string;
  readonly text: ReactNode;
}

const link = (href: string, text: string) => (
  <Link href={href} className="text-accent underline underline-offset-2">
    {text}
  </Link>
);

const STEPS: readonly TourStep[] = [
  {
    title: 'See how everything is',
    text: (
      <>
        This page lists what needs you, what runs, and how backups and capacity are. {link('/instances', 'Instances')}{' '}
        has every installation; each page is live and needs no reload.
      </>
    ),
  },
  {
    title: 'Change something, safely',
    text: (
      <>
        {link('/install', 'Install')} an operator, or open an instance and change a parameter. <em>Review</em> shows
        which plan will run and what it changes before anything is written. Every run is kept under{' '}
        {link('/runs', 'Runs')}.
      </>
    ),
  },
  {
    title: 'Find your way',
    text: (
      <>
        <Kbd>Ctrl K</Kbd> finds every page, object and action. <Kbd>?</Kbd> opens what the guide says about the page,
        and all shortcuts. Theme, density and time zone are in {link('/settings', 'Settings')}.
      </>
    ),
  },
];

/** Three steps for who opens the console for the first time in this browser. It blocks nothing, and can be skipped. */
export function Tour() {
  const hasSeenTour = usePreference((store) => store.hasSeenTour);
  const setHasSeenTour = usePreference((store) => store.setHasSeenTour);
  const [at, setAt] = useState(0);
  const step = STEPS[at];
  if (hasSeenTour || step === undefined) return null;
  const isLast = at === STEPS.length - 1;
  const end = () => setHasSeenTour(true);
  return (
    <section aria-label="Tour" className="card mb-4 grid gap-3 border-accent bg-accent-soft px-4 py-3">
      <div aria-live="polite" className="min-h-[66px]">
        <p className="text-ink-2 text-xs">
          Tour, step {at + 1} of {STEPS.length}
        </p>
        <h2 className="font-semibold text-md">{step.title}</h2>
        <p className="max-w-[90ch] text-ink-2">{step.text}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {at > 0 && (
          <Button size="small" onClick={() => setAt(at - 1)}>
            Back
          </Button>
        )}
        <Button size="small" variant="primary" onClick={isLast ? end : () => setAt(at + 1)}>
          {isLast ? 'Done' : 'Next'}
        </Button>
        {!isLast && (
          <Button size="small" variant="quiet" onClick={end}>
            Skip the tour
          </Button>
        )}
      </div>
    </section>
  );
}
