'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { systemClock } from '@/lib/clock/clock';
import { Button } from './button';

/** Copies a text, which may be made when it is wanted, and says so for two seconds. */
export function CopyButton({ text, label = 'Copy' }: { text: string | (() => string); label?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = systemClock.after(2000, () => setCopied(false));
    return () => timer.cancel();
  }, [copied]);
  return (
    <Button
      variant="quiet"
      size="small"
      iconOnly
      icon={copied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
      onClick={() =>
        void navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
          () => setCopied(true),
          () => setCopied(false),
        )
      }
    >
      {copied ? 'Copied' : label}
    </Button>
  );
}
