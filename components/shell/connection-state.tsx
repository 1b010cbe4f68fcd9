'use client';

import { useEffect, useState } from 'react';
import { browserClock } from '@/components/live/clock';
import { useConnection } from '@/components/live/use-connection';

/** Lists that take longer than this are not live yet; shorter ones come with every page that is opened. */
const WAIT_SHOWN_AFTER_MS = 1_000;

/** The sign at the end of the bar: live, connecting (what the page shows is not known yet), or not live. */
export function ConnectionState() {
  const { status: streamStatus, isWaiting, latencyMs, staleSinceMs } = useConnection();
  const isLate = useLasting(isWaiting, WAIT_SHOWN_AFTER_MS);
  const status =
    streamStatus !== 'live' ? streamStatus : staleSinceMs !== undefined ? 'lost' : isLate ? 'connecting' : 'live';
  const look = looks[status];
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap text-ink-2 text-xs" data-connection={status}>
      <span aria-hidden="true" className={`size-[7px] rounded-full ${look.dot}`} />
      {/* There is no room for the word beside the names of cluster and namespace; a loss has a banner too. */}
      <span className="max-sm:sr-only">{look.word}</span>
      {status === 'live' && latencyMs !== undefined && (
        <span className="hidden text-ink-3 md:inline" title="From the server to this page">
          {latencyMs < 1000 ? `${Math.max(1, Math.round(latencyMs))} ms` : `${(latencyMs / 1000).toFixed(1)} s`}
        </span>
      )}
    </span>
  );
}

/** True once the value has been true for so long without a break. */
function useLasting(value: boolean, afterMs: number): boolean {
  const [hasLasted, setHasLasted] = useState(false);
  useEffect(() => {
    setHasLasted(false);
    if (!value) return;
    const timer = browserClock.after(afterMs, () => setHasLasted(true));
    return () => timer.cancel();
  }, [value, afterMs]);
  return value && hasLasted;
}

const looks = {
  live: { word: 'Live', dot: 'bg-ok ring-3 ring-ok-soft' },
  connecting: { word: 'Connecting', dot: 'bg-idle ring-3 ring-idle-soft' },
  lost: { word: 'Not live', dot: 'bg-wait ring-3 ring-wait-soft' },
} as const;
