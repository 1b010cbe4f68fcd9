import { COLUMNS_COOKIE, parseLayout, type TableLayout } from '@/components/instances/table-layout';
import type { DisplaySettings } from '@/components/ui/display-settings';
import { isTimeZone } from '@/lib/clock/zoned-time';

/**
 * What a person chose for this browser. It travels as cookies, because the first view is made on the server and must not
 * flash another theme or another scope. None of it is secret and none decides about rights.
 */
export interface Preferences extends DisplaySettings {
  readonly theme: Theme;
  readonly contrast: Contrast;
  /** The namespace that lists are narrowed to; undefined for all. */
  readonly namespace: string | undefined;
  /** Columns of the instances' table. */
  readonly layout: TableLayout;
  /** The browser says outside of the page when a run that it started needs the person. */
  readonly notify: boolean;
  /** The tour of a new console was seen or skipped. */
  readonly hasSeenTour: boolean;
}

export type Theme = 'system' | 'light' | 'dark';
/** As the system asks for, or more than usual. */
export type Contrast = 'system' | 'more';

export const THEME_COOKIE = 'bravo-theme';
export const NAMESPACE_COOKIE = 'bravo-namespace';
export const NOTIFY_COOKIE = 'bravo-notify';
export const CONTRAST_COOKIE = 'bravo-contrast';
export const DENSITY_COOKIE = 'bravo-density';
export const TIME_ZONE_COOKIE = 'bravo-time-zone';
export const TOUR_COOKIE = 'bravo-tour';

/** The cookie with the namespace that a person chose in a cluster; undefined is the home cluster. */
export function namespaceCookie(cluster: string | undefined): string {
  return cluster === undefined ? NAMESPACE_COOKIE : `${NAMESPACE_COOKIE}.${cluster}`;
}

/** The value of the cookie for all namespaces; a missing cookie means that the person has not chosen. */
export const ALL_NAMESPACES = '*';

const YEAR_SECONDS = 365 * 24 * 60 * 60;
export const NAMESPACE_PATTERN = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Reads the cookies; anything that is no such value counts as not chosen.
 *
 * @param first the namespace for a person who has not chosen one
 */
export function parsePreferences(read: (name: string) => string | undefined, first?: string): Preferences {
  const theme = read(THEME_COOKIE);
  const namespace = read(NAMESPACE_COOKIE);
  const timeZone = read(TIME_ZONE_COOKIE);
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    contrast: read(CONTRAST_COOKIE) === 'more' ? 'more' : 'system',
    density: read(DENSITY_COOKIE) === 'compact' ? 'compact' : 'comfortable',
    timeZone: timeZone !== undefined && isTimeZone(timeZone) ? timeZone : undefined,
    namespace: namespace === ALL_NAMESPACES ? undefined : isNamespace(namespace) ? namespace : first,
    layout: parseLayout(read(COLUMNS_COOKIE)),
    notify: read(NOTIFY_COOKIE) === 'on',
    hasSeenTour: read(TOUR_COOKIE) === 'seen',
  };
}

/** The attributes of the root element that the style sheet reads; undefined ones are left out. */
export function rootAttributes({ theme, contrast, density }: Pick<Preferences, 'theme' | 'contrast' | 'density'>) {
  return {
    'data-theme': theme === 'system' ? undefined : theme,
    'data-contrast': contrast === 'system' ? undefined : contrast,
    'data-density': density === 'comfortable' ? undefined : density,
  };
}

function isNamespace(text: string | undefined): text is string {
  return text !== undefined && NAMESPACE_PATTERN.test(text);
}

/** The text for `document.cookie`; an undefined value removes the cookie. */
export function formatCookie(name: string, value: string | undefined): string {
  return `${name}=${value ?? ''}; path=/; max-age=${value === undefined ? 0 : YEAR_SECONDS}; samesite=lax`;
}
