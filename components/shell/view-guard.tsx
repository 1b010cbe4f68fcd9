'use client';

import { useEffect, useRef, useState } from 'react';
import { browserClock } from '@/components/live/clock';
import { onOtherView } from '@/components/live/view-change';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { noteTyping } from './typed-text';

/** Two replicas may disagree about a view for half a minute: a page that was just loaded is not loaded again at once. */
const YOUNG_MS = 3_000;

/**
 * A view of another user has begun or ended in another tab, or ended by itself: the page is loaded anew. What somebody has typed is not thrown
 * away; then a dialog asks first.
 */
export function ViewGuard() {
  const [isAsking, setAsking] = useState(false);
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
        browserClock.after(delayMs, () => (hasTyped.current() ? setAsking(true) : window.location.reload()));
      }),
    [],
  );
  return (
    <Dialog
      open={isAsking}
      onClose={() => setAsking(false)}
      title="A view of another user has begun or ended"
      footer={
        <Button variant="primary" data-first-focus="" onClick={() => window.location.reload()}>
          Reload the page
        </Button>
      }
    >
      <p>
        That happened in another tab of this browser, or the hour of the view is over. This page is not updated any
        more. Copy what you have typed, then reload the page.
      </p>
    </Dialog>
  );
}
