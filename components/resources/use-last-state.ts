'use client';

import { useState } from 'react';
import type { KubeObject } from '@/lib/kube/object';

/** The object, or its last state when it has gone while the page was open. */
export function useLastState(object: KubeObject | undefined): KubeObject | undefined {
  const [last, setLast] = useState(object);
  if (object !== undefined && object !== last) setLast(object);
  return object ?? last;
}
