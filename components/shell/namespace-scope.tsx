'use client';

import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useTopic } from '@/components/live/use-topic';
import { Menu } from '@/components/ui/menu';
import { nameOf } from '@/lib/kube/object';
import { topics } from '@/lib/live/topic';
import { LaterNameNamespaceDialog } from './later-name-namespace-dialog';
import { usePreference } from './preferences';

/**
 * Narrows every list to one namespace. A chosen namespace that was deleted is still shown, so that an empty list explains
 * itself. A person who may not list namespaces enters the name of one.
 */
export function NamespaceScope() {
  const scope = usePreference((store) => store.namespace);
  const setScope = usePreference((store) => store.setNamespace);
  const { objects, status } = useTopic(topics.namespaces);
  const [isNaming, setIsNaming] = useState(false);
  const isListed = status !== 'forbidden';
  const names = objects.map(nameOf).sort();
  const count = `${scope === undefined ? names.length : 1} of ${names.length}`;
  return (
    <>
      <Menu
        label={`Namespace: ${scope ?? 'all'}${isListed ? `, ${count}` : ''}`}
        className="btn max-w-[46vw] bg-ground px-2.5 font-normal"
        trigger={
          <>
            <span className="hidden text-2xs text-ink-3 sm:inline">Namespace</span>{' '}
            <span className="truncate font-medium">{scope ?? 'all'}</span>{' '}
            {isListed && <span className="hidden text-2xs text-ink-3 sm:inline">{count}</span>}
            <ChevronDown size={14} aria-hidden="true" className="text-ink-3" />
          </>
        }
        entries={[
          { key: '*', label: 'All namespaces', checked: scope === undefined, onSelect: () => setScope(undefined) },
          ...names.map((name) => ({
            key: name,
            label: name,
            checked: scope === name,
            onSelect: () => setScope(name),
          })),
          ...(scope !== undefined && !names.includes(scope)
            ? [{ key: scope, label: isListed ? `${scope} (deleted)` : scope, checked: true, onSelect: () => undefined }]
            : []),
          ...(isListed ? [] : [{ key: 'name', label: 'Enter a namespace…', onSelect: () => setIsNaming(true) }]),
        ]}
      />
      <LaterNameNamespaceDialog open={isNaming} onClose={() => setIsNaming(false)} onName={setScope} />
    </>
  );
}
