'use client';

import { useEffect, useState } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { Link } from '@/components/ui/link';
import { ShortcutList } from './shortcuts';

/** Opens the list of shortcuts at `?`, unless somebody is typing or another dialog is open. */
export function ShortcutsDialog() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const close = () => setOpen(false);
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Keyboard shortcuts"
      footer={
        <Link href="/help" onClick={close} className="link me-auto text-accent">
          Help and glossary
        </Link>
      }
    >
      <ShortcutList />
    </Dialog>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select') !== null)
  );
}
