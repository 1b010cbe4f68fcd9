'use client';

import { useEffect } from 'react';

/** From this width on a panel and the page are both shown, and the page stays usable. */
const BESIDE = '(min-width: 1100px)';

/**
 * Shows and closes the dialog of a panel, whose `data-panel-title` gets the focus: above the page and modal in narrow windows, beside it in wide ones, where
 * the page makes room as long as the root element has `data-NAME-beside`.
 */
export function useSidePanel(
  dialog: { readonly current: HTMLDialogElement | null },
  isShown: boolean,
  name: 'object' | 'help',
): void {
  useEffect(() => {
    const element = dialog.current;
    if (element === null || !isShown) return undefined;
    const media = window.matchMedia(BESIDE);
    const mark = (isBeside: boolean) => document.documentElement.toggleAttribute(`data-${name}-beside`, isBeside);
    const show = () => {
      element.close();
      mark(media.matches);
      if (media.matches) element.show();
      else element.showModal();
      element.querySelector<HTMLElement>('[data-panel-title]')?.focus();
    };
    show();
    media.addEventListener('change', show);
    return () => {
      media.removeEventListener('change', show);
      element.close();
      mark(false);
    };
  }, [dialog, isShown, name]);
}
