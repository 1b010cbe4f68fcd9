'use client';

import { useConnection } from '@/components/live/use-connection';

/** The small sign at the end of the bar: live, catching up, or not live. */
export function ConnectionState() {
  const { status: ownStatus, latencyMs, staleSinceMs } = useConnection();
  const status = ownStatus === 'live' && staleSinceMs !== undefined ? 'lost' : ownStatus;
  const look = looks[status];
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap text-ink-2 text-xs" data-connection={status}>
      <span aria-hidden="true" className={`size-[7px] rounded-full ${look.dot}`} />
      <span>{look.word}</span>
      {status === 'live' && latencyMs !== undefined && (
        <span className="hidden text-ink-3 md:inline" title="From the server to this page">
          {latencyMs < 1000 ? `${Math.max(1, Math.round(latencyMs))} ms` : `${(latencyMs / 1000).toFixed(1)} s`}
        </span>
      )}
    </span>
  );
}

const looks = {
  live: { word: 'Live', dot: 'bg-ok ring-3 ring-ok-soft' },
  connecting: { word: 'Connecting', dot: 'bg-idle ring-3 ring-idle-soft' },
  lost: { word: 'Not live', dot: 'bg-wait ring-3 ring-wait-soft' },
} as const;
