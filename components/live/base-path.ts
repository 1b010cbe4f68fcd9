/**
 * The path below which the console is served (`/bravo`), empty for the root. Next's own links and router add it by
 * themselves; next.config.js puts it into the bundle.
 */
const basePath = process.env.BRAVO_BASE_PATH ?? '';

/** A path of the console's server, as a request, a download or the address has to name it. */
export function withBasePath(path: string): string {
  return `${basePath}${path}`;
}

/** Replaces the entry of the history; the server is asked nothing. `path` is as `usePathname` gives it, with any query. */
export function replaceAddress(path: string): void {
  window.history.replaceState(null, '', withBasePath(path));
}
