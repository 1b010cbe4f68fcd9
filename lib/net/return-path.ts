const NOWHERE = '/';
const MOST = 2_000;
/** Stands for the console's own origin; no real one can be it. */
const BASE = 'http://console.invalid';

/**
 * Where a person goes after the sign-in: the path with query and fragment when it is one of this console, else `/`. Everything that
 * a browser could read as another origin is `/`: `//host`, `/\host`, `https:`, control characters, and the sign-in page itself.
 */
export function returnPath(text: string | null | undefined): string {
  if (!text?.startsWith('/') || text.length > MOST) return NOWHERE;
  // Browsers drop tabs and line breaks inside of a URL, and read a backslash as a slash.
  if (/^\/[/\\]/.test(text) || /[\p{Cc}\\]/u.test(text) || !URL.canParse(text, BASE)) return NOWHERE;
  const { origin, pathname, search, hash } = new URL(text, BASE);
  if (origin !== BASE || pathname.startsWith('//')) return NOWHERE;
  if (pathname === '/sign-in' || pathname.startsWith('/api/')) return NOWHERE;
  return `${pathname}${search}${hash}`;
}
