'use client';

import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button';
import { classNames } from './class-names';
import { ScrollBox } from './scroll-box';

/**
 * A modal dialog on the browser's own <dialog>: it traps and returns focus, closes on Escape, and makes the rest inert.
 * The content is mounted only while the dialog is open; an element with `data-first-focus` gets the focus, else the close button.
 */
export function Dialog({
  open,
  onClose,
  title,
  children,
  footer,
  wide = false,
}: {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  wide?: boolean;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    if (open && !dialog.open) {
      dialog.showModal();
      dialog.querySelector<HTMLElement>('[data-first-focus]')?.focus();
    }
    if (!open && dialog.open) dialog.close();
  }, [open]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on the backdrop is a shortcut for the Escape key, which the browser handles
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={() => open && onClose()}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className={classNames(
        'm-auto max-h-[min(88dvh,880px)] w-[calc(100vw-32px)] overflow-hidden rounded-lg border bg-surface p-0 text-ink shadow-float open:flex',
        wide ? 'max-w-[880px]' : 'max-w-[520px]',
      )}
    >
      {open && (
        <div className="flex min-h-0 w-full animate-appear flex-col">
          <div className="flex items-center gap-3 border-b py-2 ps-5 pe-3">
            <h2 id={titleId} className="min-w-0 flex-1 py-1 font-semibold text-md">
              {title}
            </h2>
            <Button variant="quiet" iconOnly icon={<X size={16} aria-hidden="true" />} onClick={onClose}>
              Close
            </Button>
          </div>
          <ScrollBox labelledBy={titleId} className="min-h-0 flex-1 overflow-y-auto px-5 py-4">
            {children}
          </ScrollBox>
          {footer !== undefined && (
            <footer className="flex flex-wrap items-center justify-end gap-2 border-t bg-sunken px-5 py-3">
              {footer}
            </footer>
          )}
        </div>
      )}
    </dialog>
  );
}
