'use client';

import { useEffect } from 'react';

/** From this width on a panel and the page are both shown, and the page stays usable. */
const BESIDE = '(min-width: 1100px)';

/** Shows and closes the dialog of a panel, whose `data-panel-title` gets the focus: beside the page in wide windows, above it and modal in narrow ones. */
export function useSidePanel(dialog: { readonly current: HTMLDialogElement | null }, isShown: boolean): void {
  useEffect(() => {
    const element = dialog.current;
    if (element === null || !isShown) return undefined;
    const media = window.matchMedia(BESIDE);
    const show = () => {
      element.close();
      if (media.matches) element.show();
      else element.showModal();
      element.querySelector<HTMLElement>('[data-panel-title]')?.focus();
    };
    show();
    media.addEventListener('change', show);
    return () => {
      media.removeEventListener('change', show);
      element.close();
    };
  }, [dialog, isShown]);
}
