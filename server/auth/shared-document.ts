import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { isJsonObject } from '@/lib/json/json';
import type { Api } from '@/server/kube/api';
import { retryOnConflict } from '@/server/kube/retry-on-conflict';

/** A small map of texts that every replica of the console reads and writes. Keys are those of a Secret: letters, digits, `-`, `_`, `.`. */
export interface SharedDocument {
  /** Empty when nobody has written it. */
  read(): Promise<ReadonlyMap<string, string>>;
  /** Replaces the content by what `change` makes of it; two changes at once both count. `change` may be called again. */
  update(
    change: (content: ReadonlyMap<string, string>) => ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, string>>;
}

/** A Secret of the console's own namespace. */
export function secretDocument(api: Api, place: { readonly namespace: string; readonly name: string }): SharedDocument {
  const target = { group: '', version: 'v1', resource: 'secrets', ...place };
  const read = async () => dataOf((await api.get(target))?.data);
  return {
    read,
    update: (change) =>
      retryOnConflict(async () => {
        const stored = await api.get(target);
        const content = change(dataOf(stored?.data));
        const data = Object.fromEntries([...content].map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
        if (stored === undefined) {
          await api.create(target, { apiVersion: 'v1', kind: 'Secret', metadata: { ...place }, type: 'Opaque', data });
        } else await api.update(target, { ...stored, data });
        return content;
      }),
  };
}

/** A file that only its owner may read: for a console on one machine. Changes of one process are in turn. */
export function fileDocument(path: string): SharedDocument {
  const read = (): ReadonlyMap<string, string> => (existsSync(path) ? parseFile(path) : new Map());
  return {
    read: async () => read(),
    async update(change) {
      const content = change(read());
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const temporary = `${path}.${process.pid}.tmp`;
      writeFileSync(temporary, JSON.stringify(Object.fromEntries(content)), { mode: 0o600 });
      chmodSync(temporary, 0o600);
      renameSync(temporary, path);
      return content;
    },
  };
}

function parseFile(path: string): ReadonlyMap<string, string> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return new Map(Object.entries(isJsonObject(value) ? value : {}).map(([key, text]) => [key, String(text)]));
  } catch (error) {
    const message = `The file ${path} cannot be read: ${messageOf(error)}. Delete it: everybody then signs in again.`;
    throw new TerminalError(message, 'SessionFile', { cause: error });
  }
}

function dataOf(data: unknown): ReadonlyMap<string, string> {
  const entries = Object.entries(isJsonObject(data) ? data : {});
  return new Map(entries.map(([key, text]) => [key, Buffer.from(String(text), 'base64').toString('utf8')]));
}
