'use client';

import { X } from 'lucide-react';
import { useEffect } from 'react';
import { systemClock } from '@/lib/clock/clock';
import { Link } from './link';
import { StatusIcon } from './status-icon';
import { type Toast, useToasts } from './toast';
import { toneText } from './tones';

const SHOWN_MS = 6000;

/** Shows the toasts; rendered once, in the shell. */
export function Toaster() {
  const toasts = useToasts((state) => state.toasts);
  return (
    <div
      aria-live="polite"
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 in-data-bottom-bar:bottom-24 grid justify-items-end gap-2 print:hidden"
    >
      {toasts.map((toast) => (
        <ToastItem key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastItem({ toast }: { toast: Toast }) {
  const remove = useToasts((state) => state.remove);
  useEffect(() => {
    if (toast.tone === 'fail') return undefined;
    const timer = systemClock.after(SHOWN_MS, () => remove(toast.id));
    return () => timer.cancel();
  }, [toast, remove]);
  return (
    <div className="pointer-events-auto flex w-full max-w-[400px] animate-appear items-start gap-3 rounded-lg border border-line-strong bg-raised py-2.5 ps-4 pe-2 shadow-float">
      <span className={`mt-0.5 ${toneText[toast.tone]}`}>
        <StatusIcon shape={toast.tone === 'fail' ? 'octagon' : toast.tone === 'ok' ? 'tick' : 'arc'} />
      </span>
      <div className="min-w-0 flex-1">
        <div className="font-medium">{toast.title}</div>
        {toast.detail !== undefined && <div className="text-ink-2">{toast.detail}</div>}
        {toast.link !== undefined && (
          <Link className="text-accent underline underline-offset-3" href={toast.link.href}>
            {toast.link.label}
          </Link>
        )}
      </div>
      <button
        type="button"
        aria-label="Dismiss"
        className="btn"
        data-variant="quiet"
        data-size="small"
        data-shape="square"
        onClick={() => remove(toast.id)}
      >
        <X size={14} aria-hidden="true" />
      </button>
    </div>
  );
}
