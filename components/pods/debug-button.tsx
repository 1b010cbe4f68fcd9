'use client';

import { Bug } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useAccess } from '@/components/access/use-access';
import { Button } from '@/components/ui/button';
import { loadPart } from '@/components/ui/load-part';
import { accessTo } from '@/lib/kube/access';
import { type KubeObject, namespaceOf } from '@/lib/kube/object';

const DebugDialog = dynamic(() => loadPart(() => import('./debug-dialog')), { ssr: false });

/** Adds a debug container to a pod. `onAdded` gets its name when it runs; without it the page of the pod shows it. */
export function DebugButton({ pod, onAdded }: { pod: KubeObject; onAdded?: (container: string) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const question = accessTo('patch', { group: '', resource: 'pods/ephemeralcontainers' }, namespaceOf(pod));
  const { block } = useAccess(question);
  return (
    <>
      <Button
        size="small"
        icon={<Bug size={14} aria-hidden="true" />}
        disabledReason={block}
        onClick={() => setIsOpen(true)}
      >
        Debug container…
      </Button>
      {isOpen && <DebugDialog pod={pod} onClose={() => setIsOpen(false)} onAdded={onAdded} />}
    </>
  );
}
