'use client';

import { useEffect } from 'react';
import { create } from 'zustand';
import { accountOfPage } from '@/components/live/account';
import { storageKey } from '@/components/live/address';
import { type KeptPlace, type KeptPlaces, NO_PLACES, parsePlaces, withSeenPlace } from '@/lib/places/places';

/** Each account and each cluster has places of its own. */
const keyOfPlaces = () => `${storageKey('bravo-places')} ${accountOfPage()}`;

const useStore = create<{ readonly places: KeptPlaces }>()(() => ({ places: NO_PLACES }));

/** Favourites, saved views, and what was seen last, in this browser; nothing before the page is hydrated. */
export function usePlaces(): KeptPlaces {
  useEffect(() => {
    const load = () => useStore.setState({ places: storedPlaces() });
    const onStorage = ({ key }: StorageEvent) => (key === keyOfPlaces() ? load() : undefined);
    load();
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, []);
  return useStore((state) => state.places);
}

/** Changes what the browser keeps; other tabs see it. */
export function changePlaces(change: (places: KeptPlaces) => KeptPlaces): void {
  const before = storedPlaces();
  const places = change(before);
  if (places === before) return;
  useStore.setState({ places });
  try {
    window.localStorage.setItem(keyOfPlaces(), JSON.stringify(places));
  } catch {
    // A browser without storage keeps them until the page is loaded again.
  }
}

function storedPlaces(): KeptPlaces {
  try {
    return parsePlaces(window.localStorage.getItem(keyOfPlaces()));
  } catch {
    return useStore.getState().places;
  }
}

/** Notes that the person sees this page; undefined while there is nothing to see. */
export function useNoteSeen(place: KeptPlace | undefined): void {
  const { href, label, note } = place ?? {};
  useEffect(() => {
    if (href === undefined || label === undefined || note === undefined) return;
    changePlaces((places) => withSeenPlace(places, { href, label, note }));
  }, [href, label, note]);
}
