'use client';

import { useEffect } from 'react';
import { untaken } from './taken-over';

/** Ends the record of early events once the page has taken over, and replays it. It is the last part of the page, so that all others are ready. */
export function EarlyEvents() {
  useEffect(() => {
    const early = window.bravoEarly;
    if (early === undefined) return;
    const waiting = untaken();
    if (early.events.length === 0 && waiting.size === 0) early.stop();
    // What happens while the replay is loaded is recorded too, so that the order stays.
    else
      import('./replay-early').then(
        ({ replayWhenTaken }) => replayWhenTaken(early, waiting),
        () => early.stop(),
      );
  }, []);
  return null;
}
