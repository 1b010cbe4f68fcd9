import type { SharedDocument } from './shared-document';

/** A document in memory; `nextRead` ends when somebody has read it once more. */
export function memoryDocument(): SharedDocument & { nextRead(): Promise<void> } {
  let content: ReadonlyMap<string, string> = new Map();
  let readers: (() => void)[] = [];
  return {
    read: async () => {
      for (const wake of readers) wake();
      readers = [];
      return content;
    },
    update: async (change) => {
      content = change(content);
      return content;
    },
    nextRead: () =>
      new Promise((resolve) => {
        readers.push(resolve);
      }),
  };
}
