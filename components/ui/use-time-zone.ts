'use client';

import { useSyncExternalStore } from 'react';

const NEVER_CHANGES = () => () => {};
const ON_SERVER = () => 'UTC';

/** The IANA name of the person's time zone; UTC on the server and in the first render, so that both show the same. */
export function useTimeZone(): string {
  return useSyncExternalStore(NEVER_CHANGES, browserTimeZone, ON_SERVER);
}

/** Only in the browser. */
function browserTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
