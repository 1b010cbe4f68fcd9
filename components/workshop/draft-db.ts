import type { PackageFiles } from '@/lib/kudo/package/types';

/**
 * Drafts of packages in the browser's IndexedDB: database `bravo-workshop`, store `drafts`, key `id`, index `account`. A draft belongs
 * to an account; who signs in after another person in the same browser does not see the drafts of that person. Drafts belong to no
 * cluster: a package can be installed anywhere.
 */
export interface Draft {
  readonly id: string;
  /** Whose it is: the name of the account; empty without sign-in. */
  readonly account: string;
  readonly files: PackageFiles;
  /** The package that it was forked from. */
  readonly origin?: DraftOrigin;
  readonly createdMs: number;
  readonly changedMs: number;
  /** Counts writes, so that a tab notices those of another one. */
  readonly revision: number;
  /** The tab that stored this revision; none stored the first one. */
  readonly savedBy?: string;
}

export interface DraftOrigin {
  readonly name: string;
  /** The version key (lib/kudo/package/catalogue). */
  readonly key: string;
}

const STORE = 'drafts';
let opened: Promise<IDBDatabase> | undefined;

/** All drafts of an account, the last changed first. @throws DOMException when the browser keeps nothing */
export async function listDrafts(account: string): Promise<Draft[]> {
  const store = await storeFor('readonly');
  const found = await resultOf<Draft[]>(store.index('account').getAll(account));
  return found.sort((a, b) => b.changedMs - a.changedMs);
}

/** One draft; undefined when there is none, or when it belongs to another account. */
export async function findDraft(account: string, id: string): Promise<Draft | undefined> {
  const draft = await resultOf<Draft | undefined>((await storeFor('readonly')).get(id));
  return draft?.account === account ? draft : undefined;
}

/** Stores a new draft. */
export async function addDraft(draft: Draft): Promise<void> {
  await resultOf((await storeFor('readwrite')).add(draft));
}

/** Stores a change, unless the draft was changed elsewhere since `draft.revision - 1`: then that draft is returned and stays. */
export async function saveDraft(draft: Draft): Promise<Draft | undefined> {
  const store = await storeFor('readwrite');
  const known = await resultOf<Draft | undefined>(store.get(draft.id));
  if (known !== undefined && known.revision !== draft.revision - 1) return known;
  await resultOf(store.put(draft));
  return undefined;
}

export async function deleteDraft(id: string): Promise<void> {
  await resultOf((await storeFor('readwrite')).delete(id));
}

async function storeFor(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  opened ??= openDatabase();
  return (await opened).transaction(STORE, mode).objectStore(STORE);
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('bravo-workshop', 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(STORE, { keyPath: 'id' }).createIndex('account', 'account');
  };
  return resultOf(request);
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
