'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { LaterNameNamespaceDialog } from './later-name-namespace-dialog';
import { usePreference } from './preferences';

/** Lets the person enter the name of a namespace that they may read. */
export function NameScope() {
  const scope = usePreference((store) => store.namespace);
  const setScope = usePreference((store) => store.setNamespace);
  const [isNaming, setIsNaming] = useState(false);
  return (
    <div className="flex flex-wrap items-center justify-center gap-3 border-t px-4 py-4 text-ink-2">
      <p>
        If you may read {scope === undefined ? 'one namespace' : `another namespace than ${scope}`}, enter its name. All
        lists then show that namespace.
      </p>
      <Button onClick={() => setIsNaming(true)}>Enter a namespace…</Button>
      <LaterNameNamespaceDialog open={isNaming} onClose={() => setIsNaming(false)} onName={setScope} />
    </div>
  );
}
