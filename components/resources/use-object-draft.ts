'use client';

import { useEffect, useRef, useState } from 'react';
import { RequestError } from '@/components/live/request';
import { messageOf } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { readYaml } from '@/lib/yaml/yaml';
import { type ChangedField, changedFields } from './managed/changed-fields';
import { draftText, type ObjectAddress, parseDraft, readStoredObject, rebase, saveObject } from './object-draft';
import { isMaskedKind } from './secret-mask';

/** Why a draft was not saved: a sentence, and maybe what is wrong with which field. */
export interface SaveProblem {
  readonly message: string;
  readonly causes: readonly { readonly field: string; readonly message: string }[];
}

export interface ObjectDraft {
  /** undefined while the object is read. */
  readonly text: string | undefined;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  readonly problem: SaveProblem | undefined;
  /** The version that somebody else wrote meanwhile: the draft cannot be saved before one of the two is chosen. */
  readonly theirs: KubeObject | undefined;
  change(text: string): void;
  save(): Promise<boolean>;
  /** Forgets the draft and goes on from the stored object. */
  discard(): void;
  /** Puts the draft over the other version and saves it. */
  overwrite(): Promise<boolean>;
  /** What the draft changes; empty while its text cannot be read. */
  changedFields(): readonly ChangedField[];
  /** The stored object, and what the draft makes of it; undefined while its text cannot be read. */
  edit(): { readonly before: KubeObject; readonly after: KubeObject } | undefined;
}

/**
 * The text of an object while it is edited. As long as nothing was changed it follows the live object; a draft stays, and
 * learns of newer versions when it is saved (or at once, by `theirs`).
 *
 * @param live the object as the event stream shows it
 */
export function useObjectDraft(address: ObjectAddress, live: KubeObject | undefined): ObjectDraft {
  const [base, setBase] = useState<KubeObject>();
  const [text, setText] = useState<string>();
  const [theirs, setTheirs] = useState<KubeObject>();
  const [problem, setProblem] = useState<SaveProblem>();
  const [isSaving, setIsSaving] = useState(false);
  // Versions that were here before: the stream may show one of them once more, a moment after a save.
  const past = useRef(new Set<string | undefined>());
  const isChanged = base !== undefined && text !== undefined && text !== draftText(base);
  const start = (object: KubeObject) => {
    past.current.add(object.metadata.resourceVersion);
    setBase(object);
    setText(draftText(object));
    setTheirs(undefined);
    setProblem(undefined);
  };

  useNewerVersion(address, live, { isPaused: isSaving, isChanged, past: past.current }, (object) => {
    if (object instanceof Error) setProblem(problemOf(object));
    else if (!isChanged) start(object);
    else if (object.metadata.resourceVersion !== base?.metadata.resourceVersion) setTheirs(object);
  });

  const write = async (edited: KubeObject): Promise<boolean> => {
    setIsSaving(true);
    setProblem(undefined);
    try {
      const saved = await saveObject(address, edited);
      start(isMaskedKind(address.type) ? rebase(edited, saved) : saved);
      return true;
    } catch (error) {
      if (isConflict(error)) setTheirs(await shownObject(address, live).catch(() => live));
      else setProblem(problemOf(error));
      return false;
    } finally {
      setIsSaving(false);
    }
  };

  const save = (over?: KubeObject): Promise<boolean> => {
    if (base === undefined || text === undefined) return Promise.resolve(false);
    const parsed = parseDraft(text, base);
    if ('refusal' in parsed) {
      setProblem({ message: parsed.refusal, causes: [] });
      return Promise.resolve(false);
    }
    return write(over === undefined ? parsed.object : rebase(parsed.object, over));
  };

  return {
    text,
    isChanged,
    isSaving,
    problem,
    theirs,
    change: setText,
    save: () => save(),
    discard: () => {
      const newest = theirs ?? base;
      if (newest !== undefined) start(newest);
    },
    overwrite: () => save(theirs),
    changedFields: () => (base === undefined || text === undefined ? [] : fieldsBetween(draftText(base), text)),
    edit: () => {
      if (base === undefined || text === undefined) return undefined;
      const parsed = parseDraft(text, base);
      return 'refusal' in parsed ? undefined : { before: base, after: parsed.object };
    },
  };
}

function fieldsBetween(before: string, after: string): readonly ChangedField[] {
  const [old, edited] = [readYaml(before), readYaml(after)];
  return old.ok && edited.ok ? changedFields(old.value, edited.value) : [];
}

/** Calls `onNewer` with each version of the object that was not here before, or with the error of reading it. */
function useNewerVersion(
  address: ObjectAddress,
  live: KubeObject | undefined,
  { isPaused, isChanged, past }: { isPaused: boolean; isChanged: boolean; past: ReadonlySet<string | undefined> },
  onNewer: (object: KubeObject | Error) => void,
): void {
  const liveVersion = live?.metadata.resourceVersion;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the object is the signal; the address stays for the life of the page
  useEffect(() => {
    if (live === undefined || isPaused || past.has(liveVersion)) return undefined;
    let isWanted = true;
    shownObject(address, live)
      .then((object) => isWanted && onNewer(object))
      .catch((error: unknown) => isWanted && onNewer(error instanceof Error ? error : new Error(messageOf(error))));
    return () => {
      isWanted = false;
    };
  }, [liveVersion, isChanged, isPaused]);
}

/** As it is stored; for kinds with secrets as the console shows them, so that no secret value comes here unasked. */
async function shownObject(address: ObjectAddress, live: KubeObject | undefined): Promise<KubeObject> {
  return live !== undefined && isMaskedKind(address.type) ? live : readStoredObject(address);
}

function isConflict(error: unknown): boolean {
  return error instanceof RequestError && error.status === 409;
}

function problemOf(error: unknown): SaveProblem {
  return { message: messageOf(error), causes: error instanceof RequestError ? error.causes : [] };
}
