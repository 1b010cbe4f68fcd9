'use client';

import dynamic from 'next/dynamic';
import { useConnection } from '@/components/live/use-connection';
import { useTopic } from '@/components/live/use-topic';
import { loadPart } from '@/components/ui/load-part';
import type { ControllerWord } from '@/lib/live/frames';
import { topics } from '@/lib/live/topic';

/** Loaded where this console runs no controller. */
const LeaseLine = dynamic(() => loadPart(() => import('./lease-line')).then((module) => module.LeaseLine));

/** Says that this console runs no controller, and which one does. `initial`: as the server rendered the page. */
export function ControllerBanner({ initial }: { initial: ControllerWord }) {
  const { controller } = useConnection();
  const instances = useTopic(topics.instanceRows);
  const state = controller ?? initial;
  // Without the CRDs there is nothing to control; the pages say what to do first.
  if (state === 'running' || instances.status === 'missing') return null;
  return <LeaseLine state={state} />;
}
