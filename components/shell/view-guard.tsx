'use client';

import dynamic from 'next/dynamic';
import { useEffect, useRef, useState } from 'react';
import { browserClock } from '@/components/live/clock';
import { onOtherView } from '@/components/live/view-change';
import { loadPart } from '@/components/ui/load-part';
import { noteTyping } from './typed-text';

const OtherView = dynamic(() => loadPart(() => import('./other-view')).then((module) => module.OtherView), {
  ssr: false,
});

/** Two replicas may disagree about a view for half a minute: a page that was just loaded is not loaded again at once. */
const YOUNG_MS = 3_000;

/** `asking`: somebody has typed here. `kept`: they go on with a page that is not updated any more. */
type Guard = 'same' | 'asking' | 'kept';

/**
 * A view of another user has begun or ended in another tab, or ended by itself: the page is loaded anew. What somebody has typed is not thrown
 * away; then a dialog asks first, and a line stays until the page is loaded.
 */
export function ViewGuard() {
  const [guard, setGuard] = useState<Guard>('same');
  const hasTyped = useRef((): boolean => false);
  useEffect(() => {
    const typing = noteTyping();
    hasTyped.current = typing.hasText;
    return typing.stop;
  }, []);
  useEffect(
    () =>
      onOtherView(() => {
        const delayMs = Math.max(0, YOUNG_MS - browserClock.monotonic());
        browserClock.after(delayMs, () => (hasTyped.current() ? setGuard('asking') : reload()));
      }),
    [],
  );
  return guard === 'same' ? null : (
    <OtherView isAsking={guard === 'asking'} onKeep={() => setGuard('kept')} onReload={reload} />
  );
}

function reload(): void {
  window.location.reload();
}
