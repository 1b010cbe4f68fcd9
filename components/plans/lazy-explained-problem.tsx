'use client';

import dynamic from 'next/dynamic';
import { loadPart } from '@/components/ui/load-part';

/** Loaded when there is a problem: the evidence is read from the cluster first. */
export const LazyExplainedProblem = dynamic(
  () => loadPart(() => import('./explained-problem')).then((module) => module.ExplainedProblem),
  { ssr: false },
);
