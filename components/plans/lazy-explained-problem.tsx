'use client';

import dynamic from 'next/dynamic';

/** Loaded when there is a problem: the evidence is read from the cluster first. */
export const LazyExplainedProblem = dynamic(
  () => import('./explained-problem').then((module) => module.ExplainedProblem),
  { ssr: false },
);
