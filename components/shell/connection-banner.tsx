'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useConnection } from '@/components/live/use-connection';
import { StatusIcon } from '@/components/ui/status-icon';
import { showToast } from '@/components/ui/toast';
import { useNow } from '@/components/ui/use-now';
import { useExactTime } from '@/components/ui/use-time-zone';
import { formatTime } from '@/lib/clock/clock';
import { formatAge } from '@/lib/clock/duration';

/** Says that the page is not live, and since when; says so when it is live again. */
export function ConnectionBanner() {
  const { status, sinceMs, staleSinceMs } = useConnection();
  const isBehind = status === 'lost' || staleSinceMs !== undefined;
  const client = useQueryClient();
  const wasLost = useRef(false);
  useEffect(() => {
    if (isBehind) wasLost.current = true;
    if (status !== 'live' || isBehind || !wasLost.current) return;
    wasLost.current = false;
    // What is not in the stream may have changed too.
    void client.invalidateQueries();
    showToast({ tone: 'ok', title: 'Live again', detail: 'The page shows the current state.' });
  }, [client, status, isBehind]);
  return (
    <div role="status" aria-live="polite">
      {status === 'lost' ? (
        <LostLine sinceMs={sinceMs} who="the console" />
      ) : (
        staleSinceMs !== undefined && <LostLine sinceMs={staleSinceMs} who="the cluster" />
      )}
    </div>
  );
}

/** @param who does not answer: the console's own server, or the Kubernetes API behind it */
function LostLine({ sinceMs, who }: { sinceMs: number; who: 'the console' | 'the cluster' }) {
  const exact = useExactTime();
  const nowMs = useNow(1000);
  return (
    <p className="flex flex-wrap items-center gap-x-2 border-b bg-wait-soft px-4 py-2 font-medium text-wait md:px-6">
      <StatusIcon shape="broken-link" />
      Not live since {exact(formatTime(sinceMs)).slice(11)}
      <span aria-hidden="true">({formatAge(nowMs - sinceMs)})</span>
      <span className="font-normal text-ink-2">
        {who === 'the cluster' ? 'The cluster does not answer' : 'The console does not answer'}, so this page may be out
        of date. Bravo reconnects automatically, and keeps your drafts.
      </span>
    </p>
  );
}
