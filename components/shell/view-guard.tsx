'use client';

import { useEffect, useRef, useState } from 'react';
import { browserClock } from '@/components/live/clock';
import { onOtherView } from '@/components/live/view-change';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { StatusIcon } from '@/components/ui/status-icon';
import { noteTyping } from './typed-text';

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
  return (
    <>
      {guard === 'kept' && <KeptLine />}
      <Dialog
        open={guard === 'asking'}
        onClose={() => setGuard('kept')}
        title="A view of another user has begun or ended"
        footer={
          <Button variant="primary" data-first-focus="" onClick={reload}>
            Reload the page
          </Button>
        }
      >
        <p>
          That happened in another tab of this browser, or the hour of the view is over. This page is not updated any
          more. Copy what you have typed, then reload the page.
        </p>
      </Dialog>
    </>
  );
}

function KeptLine() {
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b bg-wait-soft px-4 py-2 font-medium text-wait md:px-6">
      <StatusIcon shape="broken-link" />
      This page is not updated any more
      <span className="font-normal text-ink-2">A view of another user has begun or ended in this browser.</span>
      <span className="md:ms-auto">
        <Button size="small" onClick={reload}>
          Reload the page
        </Button>
      </span>
    </p>
  );
}

function reload(): void {
  window.location.reload();
}
