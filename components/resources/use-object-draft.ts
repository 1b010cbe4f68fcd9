'use client';

import { useEffect, useRef, useState } from 'react';
import { RequestError } from '@/components/live/request';
import { messageOf } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { lineOfField } from '@/lib/yaml/locate-field';
import { readYaml } from '@/lib/yaml/yaml';
import { keepDraft, keptDraft } from './kept-drafts';
import { type ChangedField, changedFields } from './managed/changed-fields';
import {
  draftText,
  type ObjectAddress,
  objectPath,
  parseDraft,
  readStoredObject,
  rebase,
  saveObject,
  trySave,
} from './object-draft';
import type { SaveReview } from './save/save-review';
import { isMaskedKind } from './secret-mask';

/** Why a draft was not saved: a sentence, and maybe what is wrong with which field. */
export interface SaveProblem {
  readonly message: string;
  readonly causes: readonly { readonly field: string; readonly message: string; readonly line?: number }[];
}

/** Over the version that was edited, or over the one that somebody else wrote meanwhile. */
export type SaveWay = 'save' | 'overwrite';

export interface ObjectDraft {
  /** undefined while the object is read. */
  readonly text: string | undefined;
  /** The stored object that the draft began with. */
  readonly base: KubeObject | undefined;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  readonly problem: SaveProblem | undefined;
  /** The version that somebody else wrote meanwhile: the draft cannot be saved before one of the two is chosen. */
  readonly theirs: KubeObject | undefined;
  change(text: string): void;
  save(): Promise<boolean>;
  /**
   * Asks the API server what saving would do, by a dry run; a refusal becomes `problem`, and nothing is returned.
   *
   * @param way `overwrite` puts the draft over `theirs`
   * @param text instead of the draft's
   */
  review(way: SaveWay, text?: string): Promise<SaveReview | undefined>;
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
  const path = objectPath(address);
  const [base, setBase] = useState(() => keptDraft(path)?.base);
  const [text, setText] = useState(() => keptDraft(path)?.text);
  const [theirs, setTheirs] = useState<KubeObject>();
  const { problem, setProblem, isSaving, run } = useSending(async () => {
    setTheirs(await shownObject(address, live).catch(() => live));
  });
  // Versions that were here before: the stream may show one of them once more, a moment after a save.
  const past = useRef(new Set<string | undefined>());
  const isChanged = base !== undefined && text !== undefined && text !== draftText(base);
  useEffect(() => {
    if (base !== undefined) keepDraft(path, isChanged ? { base, text } : undefined);
  }, [path, base, text, isChanged]);
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

  const attempt = <T>(way: SaveWay, from: string | undefined, send: (edited: KubeObject) => Promise<T>) =>
    base === undefined || from === undefined
      ? Promise.resolve(undefined)
      : run(from, () => send(editedObject(from, base, way === 'overwrite' ? theirs : undefined)));

  const save = async (way: SaveWay): Promise<boolean> => {
    const saved = await attempt(way, text, async (edited) => {
      const stored = await saveObject(address, edited);
      start(isMaskedKind(address.type) ? rebase(edited, stored) : stored);
      return true;
    });
    return saved === true;
  };

  return {
    text,
    base,
    isChanged,
    isSaving,
    problem,
    theirs,
    change: setText,
    save: () => save('save'),
    review: (way, from) =>
      attempt(way, from ?? text, async (edited) => {
        const before = (way === 'overwrite' ? theirs : base) ?? edited;
        return { edited, ...(await trySave(address, before, edited)) };
      }),
    discard: () => {
      const newest = theirs ?? base;
      if (newest !== undefined) start(newest);
    },
    overwrite: () => save('overwrite'),
    changedFields: () => (base === undefined || text === undefined ? [] : fieldsBetween(draftText(base), text)),
    edit: () => editOf(base, text),
  };
}

/** Requests that write, one after the other. What goes wrong becomes `problem`, but for conflicts. */
function useSending(onConflict: () => Promise<void>) {
  const [problem, setProblem] = useState<SaveProblem>();
  const [isSaving, setIsSaving] = useState(false);
  const run = async <T>(text: string, send: () => Promise<T>): Promise<T | undefined> => {
    setIsSaving(true);
    setProblem(undefined);
    try {
      return await send();
    } catch (error) {
      if (isConflict(error)) await onConflict();
      else setProblem(problemOf(error, text));
      return undefined;
    } finally {
      setIsSaving(false);
    }
  };
  return { problem, setProblem, isSaving, run };
}

/** @throws Error when the text may not be saved as the object */
function editedObject(text: string, base: KubeObject, over: KubeObject | undefined): KubeObject {
  const parsed = parseDraft(text, base);
  if ('refusal' in parsed) throw new Error(parsed.refusal);
  return over === undefined ? parsed.object : rebase(parsed.object, over);
}

/** What a draft changes; undefined as long as it is no object. */
function editOf(base: KubeObject | undefined, text: string | undefined): ReturnType<ObjectDraft['edit']> {
  if (base === undefined || text === undefined) return undefined;
  const parsed = parseDraft(text, base);
  return 'refusal' in parsed ? undefined : { before: base, after: parsed.object };
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

function problemOf(error: unknown, text = ''): SaveProblem {
  const causes = error instanceof RequestError ? error.causes : [];
  const placed = causes.map((cause) => ({ cause, line: lineOfField(text, cause.field) }));
  return {
    message: messageOf(error),
    causes: placed.map(({ cause, line }) => (line === undefined ? cause : { ...cause, line })),
  };
}
