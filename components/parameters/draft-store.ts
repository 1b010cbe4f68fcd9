import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { accountOfPage } from '@/components/live/account';
import { storageKey } from '@/components/live/address';
import type { ParameterDraft } from './parameter-draft';

/** A draft with the values that it is based on, so that a change by somebody else is noticed. */
export interface StoredDraft {
  readonly values: ParameterDraft;
  /** The value of the Instance when the field was first edited, by name; null: not set. */
  readonly seen: { readonly [name: string]: string | null };
}

interface DraftStore {
  /** Whose drafts they are: the name of the account; empty without sign-in. */
  readonly account: string;
  readonly drafts: { readonly [instance: string]: StoredDraft };
  edit(instance: string, name: string, value: string | null | undefined, seen: string | null): void;
  clear(instance: string): void;
}

export const EMPTY_DRAFT: StoredDraft = { values: {}, seen: {} };

/** Names of secret fields, which are held in memory only. */
const secretNames = new Set<string>();

/** Excludes the values of these parameters from the browser's storage. */
export function keepInMemory(names: Iterable<string>): void {
  for (const name of names) secretNames.add(name);
}

/**
 * Drafts of parameter edits, by `namespace/name/uid` of the Instance. They survive reloads and crashes of the tab. Each tab has its
 * own drafts: two tabs that edit the same Instance get conflicts, and do not overwrite each other. Secret values are not stored. A person
 * who signs in after another one in the same tab does not get the drafts of the other one.
 */
export const useDraftStore = create<DraftStore>()(
  persist(
    (set) => ({
      account: accountOfPage(),
      drafts: {},
      edit: (instance, name, value, seen) =>
        set(({ drafts }) => {
          const draft = drafts[instance] ?? EMPTY_DRAFT;
          const { [name]: _value, ...values } = draft.values;
          const { [name]: firstSeen, ...otherSeen } = draft.seen;
          const next =
            value === undefined
              ? { values, seen: otherSeen }
              : {
                  values: { ...values, [name]: value },
                  seen: { ...otherSeen, [name]: firstSeen === undefined ? seen : firstSeen },
                };
          return { drafts: { ...drafts, [instance]: next } };
        }),
      clear: (instance) =>
        set(({ drafts }) => {
          const { [instance]: _draft, ...others } = drafts;
          return { drafts: others };
        }),
    }),
    {
      name: storageKey('bravo-parameter-drafts'),
      version: 1,
      storage: createJSONStorage(() => sessionStorage),
      // The server renders without drafts; they are loaded after hydration.
      skipHydration: true,
      merge: (loaded, page) => {
        const stored = loaded as Partial<DraftStore> | undefined;
        return (stored?.account ?? '') === page.account ? { ...page, drafts: stored?.drafts ?? {} } : page;
      },
      partialize: ({ account, drafts }) => ({
        account,
        drafts: Object.fromEntries(
          Object.entries(drafts).map(([instance, draft]) => [instance, withoutSecrets(draft)]),
        ),
      }),
    },
  ),
);

/** Loads the stored drafts, once per page load: later it would overwrite drafts in memory. */
export function loadDrafts(): void {
  const { persist: storage } = useDraftStore;
  if (!storage.hasHydrated()) void storage.rehydrate();
}

/** The part of a draft that may be stored. */
export function withoutSecrets(draft: StoredDraft): StoredDraft {
  const keep = <T>(values: { readonly [name: string]: T }) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !secretNames.has(name)));
  return { values: keep(draft.values), seen: keep(draft.seen) };
}
