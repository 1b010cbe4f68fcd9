'use client';

import { useLayoutEffect, useRef, useState } from 'react';
import type { PackageFiles } from '@/lib/kudo/package/types';
import type { CheckedDraft } from '@/lib/workshop/check-draft';
import type { RenderedDraft, RenderWish } from '@/lib/workshop/render-draft';
import type { CheckAnswer, CheckRequest } from './check-messages';

/** What is known of the files that are shown. */
export interface Checks {
  /** Undefined until the first verification. */
  readonly checked: CheckedDraft | undefined;
  /** The objects of the last version that could be read, so that names are known while somebody types. */
  readonly objects: CheckedDraft['objects'];
  /** Of the last version that could be read. */
  readonly rendered: RenderedDraft | undefined;
  readonly functions: readonly string[];
  /** The number of the files that `checked` speaks of, and of those that are shown. */
  readonly checkedRevision: number;
  readonly revision: number;
  /** Why nothing is checked. */
  readonly problem: string | undefined;
}

const NOTHING: Omit<Checks, 'revision'> = {
  checked: undefined,
  objects: undefined,
  rendered: undefined,
  functions: [],
  checkedRevision: 0,
  problem: undefined,
};

/** Verifies and renders in a worker: the newest files as soon as it has finished those before. */
export function useChecks(files: PackageFiles, wish: RenderWish): Checks {
  const [known, setKnown] = useState(NOTHING);
  const asker = useRef<Asker>(undefined);
  useLayoutEffect(() => {
    const made = new Asker((change) => setKnown((before) => ({ ...before, ...change })));
    asker.current = made;
    return () => made.close();
  }, []);
  const revision = useRevision(files);
  // Before the browser paints: the worker begins while the page draws the key.
  useLayoutEffect(() => asker.current?.ask({ revision, files, wish }), [revision, files, wish]);
  return { ...known, revision };
}

function useRevision(files: PackageFiles): number {
  const last = useRef({ files, revision: 1 });
  if (last.current.files !== files) last.current = { files, revision: last.current.revision + 1 };
  return last.current.revision;
}

/** One request at a time; of those that wait only the newest is sent. */
class Asker {
  private readonly worker = new Worker(new URL('./check.worker.ts', import.meta.url), { type: 'module' });
  private waiting: CheckRequest | undefined;
  /** Until the worker says that it is ready. */
  private isBusy = true;

  constructor(private readonly onKnown: (change: Partial<Checks>) => void) {
    this.worker.onmessage = ({ data }: MessageEvent<CheckAnswer>) => this.take(data);
    this.worker.onerror = ({ message }) => {
      this.onKnown({ problem: message || 'The browser did not start the worker that verifies the package.' });
      // The next text may be one that it can check.
      this.isBusy = false;
    };
  }

  ask(request: CheckRequest): void {
    this.waiting = request;
    this.send();
  }

  close(): void {
    this.worker.terminate();
  }

  private send(): void {
    if (this.isBusy || this.waiting === undefined) return;
    this.isBusy = true;
    this.worker.postMessage(this.waiting);
    this.waiting = undefined;
  }

  private take(answer: CheckAnswer): void {
    if (answer.kind === 'rendered') {
      this.onKnown({ rendered: answer.rendered });
      return;
    }
    if (answer.kind === 'ready') this.onKnown({ functions: answer.functions });
    else {
      const { checked, revision } = answer;
      const readable = checked.objects === undefined ? {} : { objects: checked.objects };
      this.onKnown({ checked, checkedRevision: revision, problem: undefined, ...readable });
    }
    this.isBusy = false;
    this.send();
  }
}
