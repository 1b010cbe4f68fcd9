'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import { COLUMNS_COOKIE, formatLayout, type TableLayout } from '@/components/instances/table-layout';
import { useClusterName } from '@/components/ui/cluster-provider';
import {
  ALL_NAMESPACES,
  formatCookie,
  NOTIFY_COOKIE,
  namespaceCookie,
  type Preferences,
  THEME_COOKIE,
  type Theme,
} from './preference-cookies';

interface PreferenceStore extends Preferences {
  setTheme(theme: Theme): void;
  setNamespace(namespace: string | undefined): void;
  setLayout(layout: TableLayout): void;
  setNotify(notify: boolean): void;
}

const PreferenceContext = createContext<StoreApi<PreferenceStore> | undefined>(undefined);

/** Holds what the person chose, beginning with what the server rendered with. */
export function PreferenceProvider({ initial, children }: { initial: Preferences; children: ReactNode }) {
  const cluster = useClusterName();
  const [store] = useState(() => makeStore(initial, cluster));
  return <PreferenceContext value={store}>{children}</PreferenceContext>;
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
  return createStore<PreferenceStore>((set) => ({
    ...initial,
    setTheme(theme) {
      set({ theme });
      writeCookie(THEME_COOKIE, theme === 'system' ? undefined : theme);
      if (theme === 'system') delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = theme;
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

function writeCookie(name: string, value: string | undefined) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we support
  document.cookie = formatCookie(name, value);
}
