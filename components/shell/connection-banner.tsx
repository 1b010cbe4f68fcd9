'use client';

import { useEffect, useRef } from 'react';
import { useConnection, useNow } from '@/components/live/use-connection';
import { formatAge } from '@/components/ui/duration';
import { StatusIcon } from '@/components/ui/status-icon';
import { showToast } from '@/components/ui/toast';
import { formatTime } from '@/lib/clock/clock';

/** Says that the page is no longer live, since when, and that it heals by itself; says so too when it did. */
export function ConnectionBanner() {
  const { status, sinceMs } = useConnection();
  const wasLost = useRef(false);
  useEffect(() => {
    if (status === 'lost') wasLost.current = true;
    if (status !== 'live' || !wasLost.current) return;
    wasLost.current = false;
    showToast({ tone: 'ok', title: 'Live again', detail: 'The page shows the current state.' });
  }, [status]);
  return (
    <div role="status" aria-live="polite">
      {status === 'lost' && <LostLine sinceMs={sinceMs} />}
    </div>
  );
}

function LostLine({ sinceMs }: { sinceMs: number }) {
  const nowMs = useNow(1000);
  return (
    <p className="flex flex-wrap items-center gap-x-2 border-b bg-wait-soft px-6 py-2 font-medium text-wait">
      <StatusIcon shape="broken-link" />
      Not live since {formatTime(sinceMs).slice(11, 19)} UTC
      <span aria-hidden="true">({formatAge(nowMs - sinceMs)})</span>
      <span className="font-normal text-ink-2">
        What you see may be old. Bravo connects again by itself; nothing you started is lost.
      </span>
    </p>
  );
}
