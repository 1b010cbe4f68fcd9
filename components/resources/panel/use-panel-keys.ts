'use client';

import { useEffect } from 'react';

export interface PanelKeys {
  readonly onClose: () => void;
  readonly onNext: () => void;
  readonly onPrevious: () => void;
}

/** While the panel is open: Escape closes it, `j` and `k` go to the next and the previous object. Not while a person types, or a dialog above it is open. */
export function usePanelKeys(isOpen: boolean, { onClose, onNext, onPrevious }: PanelKeys): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || isBehindDialog(event.target)) return;
      if (event.key === 'Escape') onClose();
      else if (event.key === 'j') onNext();
      else if (event.key === 'k') onPrevious();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOpen, onClose, onNext, onPrevious]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable="true"]') !== null;
}

/** A menu or a dialog that is not the panel has its own keys. */
function isBehindDialog(target: EventTarget | null): boolean {
  const above = target instanceof HTMLElement ? target.closest('dialog, [role="menu"], [popover]') : null;
  return above !== null && !above.hasAttribute('data-object-panel');
}
