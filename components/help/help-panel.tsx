'use client';

import { CircleHelp, X } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { loadPart } from '@/components/ui/load-part';
import { usePathname } from '@/components/ui/navigation';
import { SkeletonRows } from '@/components/ui/skeleton';
import { useSidePanel } from '@/components/ui/use-side-panel';

/** The guide is loaded when somebody asks for it. */
const HelpContent = dynamic(() => loadPart(() => import('./help-content')).then((module) => module.HelpContent), {
  ssr: false,
  loading: () => <SkeletonRows rows={8} />,
});

/**
 * The button of the bar and the panel that it opens, also at `?`: what the guide says about this page, beside it. Escape closes it, and the
 * focus returns to where it was. It follows the page.
 */
export function HelpPanel() {
  const path = usePathname();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const cameFrom = useRef<HTMLElement | null>(null);
  const open = useCallback(() => {
    cameFrom.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    setIsOpen(true);
  }, []);
  const close = useCallback(() => {
    setIsOpen(false);
    dialog.current?.close();
    cameFrom.current?.focus();
  }, []);
  useSidePanel(dialog, isOpen, 'help');
  useHelpKeys(dialog, { open, close });
  return (
    <>
      <button
        type="button"
        title="Help"
        aria-expanded={isOpen}
        onClick={isOpen ? close : open}
        className="grid size-8 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink"
      >
        <CircleHelp size={16} aria-hidden="true" />
        <span className="sr-only">Help</span>
      </button>
      <dialog
        ref={dialog}
        data-help-panel
        aria-labelledby={titleId}
        onCancel={(event) => {
          event.preventDefault();
          close();
        }}
        className="fixed inset-y-0 start-auto end-0 z-40 m-0 h-dvh max-h-none w-full max-w-full overflow-hidden border-s bg-surface p-0 text-ink shadow-float sm:w-[min(560px,92vw)] lg:top-12 lg:h-[calc(100dvh-48px)] lg:w-(--help-panel-width)"
      >
        {isOpen && (
          <>
            <div className="flex items-center gap-2 py-2 ps-4 pe-2">
              <h2
                id={titleId}
                tabIndex={-1}
                data-panel-title
                className="min-w-0 flex-1 font-semibold text-md outline-none"
              >
                Help
              </h2>
              <Button variant="quiet" iconOnly icon={<X size={16} aria-hidden="true" />} onClick={close}>
                Close
              </Button>
            </div>
            <HelpContent key={path} path={path} labelledBy={titleId} onLeave={close} />
          </>
        )}
      </dialog>
    </>
  );
}

/** `?` opens the panel, unless somebody is typing or a dialog is open; Escape in it closes it. */
function useHelpKeys(
  dialog: { readonly current: HTMLDialogElement | null },
  { open, close }: { readonly open: () => void; readonly close: () => void },
): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const isInside = event.target instanceof Node && dialog.current?.contains(event.target) === true;
      if (event.key === 'Escape' && isInside) close();
      else if (event.key !== '?' || isTyping(event.target) || document.querySelector(OTHER_DIALOG) !== null) return;
      else if (dialog.current?.open !== true) open();
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [dialog, open, close]);
}

/** The panel of an object is beside the page, too. */
const OTHER_DIALOG = 'dialog[open]:not([data-help-panel], [data-object-panel]), dialog[data-object-panel]:modal';

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select') !== null)
  );
}
