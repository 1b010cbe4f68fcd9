import { describe, expect, it } from 'vitest';
import { DEFAULT_LAYOUT } from '@/components/instances/table-layout';
import {
  ALL_NAMESPACES,
  CONTRAST_COOKIE,
  DENSITY_COOKIE,
  formatCookie,
  NAMESPACE_COOKIE,
  NOTIFY_COOKIE,
  parsePreferences,
  rootAttributes,
  THEME_COOKIE,
  TIME_ZONE_COOKIE,
} from './preference-cookies';

const reading = (cookies: Record<string, string>) => parsePreferences((name) => cookies[name]);

describe('parsePreferences', () => {
  it('falls back to the system theme and all namespaces', () => {
    expect(reading({})).toEqual({
      theme: 'system',
      contrast: 'system',
      density: 'comfortable',
      timeZone: undefined,
      namespace: undefined,
      layout: DEFAULT_LAYOUT,
      notify: false,
      hasSeenTour: false,
    });
  });

  it('reads what was chosen', () => {
    expect(reading({ [THEME_COOKIE]: 'dark', [NAMESPACE_COOKIE]: 'team-a', [NOTIFY_COOKIE]: 'on' })).toMatchObject({
      theme: 'dark',
      namespace: 'team-a',
      layout: DEFAULT_LAYOUT,
      notify: true,
    });
  });

  it('reads contrast, density and time zone, and ignores a zone that does not exist', () => {
    const chosen = { [CONTRAST_COOKIE]: 'more', [DENSITY_COOKIE]: 'compact', [TIME_ZONE_COOKIE]: 'Europe/Berlin' };
    expect(reading(chosen)).toMatchObject({ contrast: 'more', density: 'compact', timeZone: 'Europe/Berlin' });
    expect(reading({ ...chosen, [TIME_ZONE_COOKIE]: 'Mars/Olympus' }).timeZone).toBeUndefined();
    expect(rootAttributes(reading(chosen))).toEqual({
      'data-theme': undefined,
      'data-contrast': 'more',
      'data-density': 'compact',
    });
  });

  it('begins with the given namespace until the person chooses one, or all', () => {
    const chosen = (cookies: Record<string, string>) => parsePreferences((name) => cookies[name], 'own').namespace;
    expect(chosen({})).toBe('own');
    expect(chosen({ [NAMESPACE_COOKIE]: 'team-a' })).toBe('team-a');
    expect(chosen({ [NAMESPACE_COOKIE]: ALL_NAMESPACES })).toBeUndefined();
  });

  it('ignores values that are no theme and no namespace', () => {
    expect(reading({ [THEME_COOKIE]: '"><script>', [NAMESPACE_COOKIE]: '../etc' })).toMatchObject({
      theme: 'system',
      namespace: undefined,
      layout: DEFAULT_LAYOUT,
      notify: false,
    });
  });
});

describe('formatCookie', () => {
  it('keeps a value for a year', () => {
    expect(formatCookie(THEME_COOKIE, 'dark')).toBe('bravo-theme=dark; path=/; max-age=31536000; samesite=lax');
  });

  it('removes a cookie by giving it no time', () => {
    expect(formatCookie(NAMESPACE_COOKIE, undefined)).toBe('bravo-namespace=; path=/; max-age=0; samesite=lax');
  });
});
