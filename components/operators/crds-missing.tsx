'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useAccess } from '@/components/access/use-access';
import { Button } from '@/components/ui/button';
import { loadPart } from '@/components/ui/load-part';
import { Notice } from '@/components/ui/notice';
import { accessTo } from '@/lib/kube/access';
import { topics } from '@/lib/live/topic';

const InstallCrdsDialog = dynamic(
  () => loadPart(() => import('./install-crds-dialog')).then((module) => module.InstallCrdsDialog),
  {
    ssr: false,
  },
);

/** Says that the cluster does not serve KUDO's kinds, and installs their CRDs when a person asks for it. */
export function CrdsMissing() {
  const [isAsking, setIsAsking] = useState(false);
  const [wasAsked, setWasAsked] = useState(false);
  if (isAsking && !wasAsked) setWasAsked(true);
  const { block } = useAccess(accessTo('create', topics.crds));
  return (
    <div>
      <Notice
        tone="wait"
        title="Bravo's CRDs are not installed in this cluster."
        className="mb-4"
        action={
          <Button disabledReason={block} onClick={() => setIsAsking(true)}>
            Install CRDs…
          </Button>
        }
      >
        Operators and Instances need three CustomResourceDefinitions. Nothing is written to the cluster before you
        confirm.
      </Notice>
      {wasAsked && <InstallCrdsDialog open={isAsking} onClose={() => setIsAsking(false)} />}
    </div>
  );
}
