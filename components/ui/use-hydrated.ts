import { useSyncExternalStore } from 'react';

const NEVER_CHANGES = () => () => {};

/**
 * False on the server and while a part of the page takes over what the server rendered. A part inside of Suspense does so later than the
 * frame, when the browser may know more already than the server's HTML shows.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    NEVER_CHANGES,
    () => true,
    () => false,
  );
}
