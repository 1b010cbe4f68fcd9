'use client';

import { createContext, type ReactNode, useContext } from 'react';

/** How tables are drawn: with rows of 40 px, or of 32 px. */
export type Density = 'comfortable' | 'compact';

/** What a person chose of how everything is shown. */
export interface DisplaySettings {
  readonly density: Density;
  /** An IANA name; undefined for the zone of the browser. */
  readonly timeZone: string | undefined;
}

const DisplayContext = createContext<DisplaySettings>({ density: 'comfortable', timeZone: undefined });

/** Gives the settings to the elements of this folder. */
export function DisplayProvider({ settings, children }: { settings: DisplaySettings; children: ReactNode }) {
  return <DisplayContext value={settings}>{children}</DisplayContext>;
}

/** The settings; the usual ones outside of {@link DisplayProvider}. */
export function useDisplaySettings(): DisplaySettings {
  return useContext(DisplayContext);
}

/** Compact rows are lower by this many pixels: `--row-px` in app/globals.css says the same. */
const COMPACT_LOWER_PX = 8;

/** The height of a table's row in pixels, for lists that draw only a part of their rows. */
export function useRowPx(comfortablePx: number): number {
  return useDisplaySettings().density === 'compact' ? comfortablePx - COMPACT_LOWER_PX : comfortablePx;
}
