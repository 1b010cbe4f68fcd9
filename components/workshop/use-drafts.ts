'use client';

import { useCallback, useEffect, useState } from 'react';
import { accountOfPage } from '@/components/live/account';
import { messageOf } from '@/lib/errors/errors';
import { type Draft, listDrafts } from './draft-db';

/** The drafts of the account in this browser, the last changed first; undefined while they are read. */
export function useDrafts() {
  const [drafts, setDrafts] = useState<readonly Draft[]>();
  const [problem, setProblem] = useState<string>();
  const reload = useCallback(
    () => listDrafts(accountOfPage()).then(setDrafts, (error: unknown) => setProblem(messageOf(error))),
    [],
  );
  useEffect(() => {
    void reload();
  }, [reload]);
  return { drafts, problem, reload };
}
