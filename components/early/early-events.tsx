'use client';

import { useEffect } from 'react';
import { replayEarly } from './replay-early';

/** Ends the record of early events once the page has taken over, and replays it. It is the last part of the page, so that all others are ready. */
export function EarlyEvents() {
  useEffect(() => {
    const early = window.bravoEarly;
    early?.stop();
    if (early !== undefined) replayEarly(early.events);
  }, []);
  return null;
}
