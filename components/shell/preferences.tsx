'use client';

import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import { COLUMNS_COOKIE, formatLayout, type TableLayout } from '@/components/instances/table-layout';
import { useClusterName } from '@/components/ui/cluster-provider';
import { type Density, DisplayProvider } from '@/components/ui/display-settings';
import {
  ALL_NAMESPACES,
  CONTRAST_COOKIE,
  type Contrast,
  DENSITY_COOKIE,
  formatCookie,
  NOTIFY_COOKIE,
  namespaceCookie,
  type Preferences,
  rootAttributes,
  THEME_COOKIE,
  type Theme,
  TIME_ZONE_COOKIE,
  TOUR_COOKIE,
} from './preference-cookies';

interface PreferenceStore extends Preferences {
  setTheme(theme: Theme): void;
  setContrast(contrast: Contrast): void;
  setDensity(density: Density): void;
  /** @param timeZone an IANA name; undefined for the zone of the browser */
  setTimeZone(timeZone: string | undefined): void;
  /** The tour is not shown again, or, with false, it is. */
  setHasSeenTour(hasSeenTour: boolean): void;
  setNamespace(namespace: string | undefined): void;
  setLayout(layout: TableLayout): void;
  setNotify(notify: boolean): void;
}

const PreferenceContext = createContext<StoreApi<PreferenceStore> | undefined>(undefined);

/** Holds what the person chose, beginning with what the server rendered with. */
export function PreferenceProvider({ initial, children }: { initial: Preferences; children: ReactNode }) {
  const cluster = useClusterName();
  const [store] = useState(() => makeStore(initial, cluster));
  return (
    <PreferenceContext value={store}>
      <Display>{children}</Display>
    </PreferenceContext>
  );
}

/** Hands the settings of the display to `components/ui`, which does not know this folder. */
function Display({ children }: { children: ReactNode }) {
  const density = usePreference((store) => store.density);
  const timeZone = usePreference((store) => store.timeZone);
  const settings = useMemo(() => ({ density, timeZone }), [density, timeZone]);
  return <DisplayProvider settings={settings}>{children}</DisplayProvider>;
}

/** One part of the preferences; re-renders only when that part changes. */
export function usePreference<T>(select: (store: PreferenceStore) => T): T {
  const store = useContext(PreferenceContext);
  if (store === undefined) throw new Error('Preferences are used outside of <PreferenceProvider>.');
  return useStore(store, select);
}

/** The namespace that all lists are narrowed to; undefined for all that one may see. */
export function useNamespaceScope(): string | undefined {
  return usePreference((store) => store.namespace);
}

function makeStore(initial: Preferences, cluster: string | undefined): StoreApi<PreferenceStore> {
  return createStore<PreferenceStore>((set, get) => ({
    ...initial,
    setTheme(theme) {
      set({ theme });
      writeCookie(THEME_COOKIE, theme === 'system' ? undefined : theme);
      writeRoot(get());
    },
    setContrast(contrast) {
      set({ contrast });
      writeCookie(CONTRAST_COOKIE, contrast === 'system' ? undefined : contrast);
      writeRoot(get());
    },
    setDensity(density) {
      set({ density });
      writeCookie(DENSITY_COOKIE, density === 'comfortable' ? undefined : density);
      writeRoot(get());
    },
    setTimeZone(timeZone) {
      set({ timeZone });
      writeCookie(TIME_ZONE_COOKIE, timeZone);
    },
    setHasSeenTour(hasSeenTour) {
      set({ hasSeenTour });
      writeCookie(TOUR_COOKIE, hasSeenTour ? 'seen' : undefined);
    },
    setNamespace(namespace) {
      set({ namespace });
      writeCookie(namespaceCookie(cluster), namespace ?? ALL_NAMESPACES);
    },
    setLayout(layout) {
      set({ layout });
      writeCookie(COLUMNS_COOKIE, formatLayout(layout));
    },
    setNotify(notify) {
      set({ notify });
      writeCookie(NOTIFY_COOKIE, notify ? 'on' : undefined);
    },
  }));
}

/** The style sheet reads these; the server writes the same ones, so that nothing changes after the first picture. */
function writeRoot(preferences: Preferences) {
  for (const [name, value] of Object.entries(rootAttributes(preferences))) {
    if (value === undefined) document.documentElement.removeAttribute(name);
    else document.documentElement.setAttribute(name, value);
  }
}

function writeCookie(name: string, value: string | undefined) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we support
  document.cookie = formatCookie(name, value);
}
