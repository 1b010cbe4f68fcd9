'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { systemClock } from '@/lib/clock/clock';
import type { ProductStatus } from '@/lib/status/product-status';
import { supportText } from '@/lib/status/support-text';

/** Copies the page as text for a ticket, and says so for two seconds. */
export function CopyForSupport({ status }: { status: ProductStatus }) {
  const [word, setWord] = useState<'Copied' | 'Not copied'>();
  useEffect(() => {
    if (word === undefined) return undefined;
    const timer = systemClock.after(2_000, () => setWord(undefined));
    return () => timer.cancel();
  }, [word]);
  const Icon = word === 'Copied' ? Check : Copy;
  return (
    <>
      <Button
        icon={<Icon size={14} aria-hidden="true" />}
        onClick={() =>
          void navigator.clipboard.writeText(supportText(status)).then(
            () => setWord('Copied'),
            () => setWord('Not copied'),
          )
        }
      >
        {word ?? 'Copy for support'}
      </Button>
      <span role="status" className="sr-only">
        {word}
      </span>
    </>
  );
}
