/** A file of a simulated volume. Content is never changed in place. */
export interface FileNode {
  readonly kind: 'file';
  readonly content: Uint8Array;
  readonly mode: number;
  readonly modifiedMs: number;
}

export interface DirectoryNode {
  readonly kind: 'directory';
  readonly children: Map<string, TreeNode>;
  modifiedMs: number;
}

export type TreeNode = FileNode | DirectoryNode;

/** Why an operation on files failed, in the words of libc. */
export class FileError extends Error {}

/** How deep directories may be in each other. */
const MAX_DEPTH = 1000;

/** The parts of a normalised path: `/a/./b/../c` → `a`, `c`. */
export function splitPath(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts;
}

/**
 * The content of one volume, in memory, with limits on its size and on the number of its files. Paths are lists of
 * parts; errors are {@link FileError}s with the text that a shell prints.
 */
export class FileTree {
  readonly root: DirectoryNode = { kind: 'directory', children: new Map(), modifiedMs: 0 };
  /** Called after every change. */
  onChange: () => void = () => {};
  private usedBytes = 0;
  private nodes = 0;

  constructor(private readonly limits: { readonly volumeBytes: number; readonly files: number }) {}

  get(parts: readonly string[]): TreeNode | undefined {
    let node: TreeNode | undefined = this.root;
    for (const part of parts) node = node?.kind === 'directory' ? node.children.get(part) : undefined;
    return node;
  }

  /** @param mode that of the file before, or 644, when it is not given */
  write(parts: readonly string[], content: Uint8Array, nowMs: number, mode?: number): void {
    const { folder, name } = this.place(parts);
    const before = folder.children.get(name);
    if (before?.kind === 'directory') throw new FileError('Is a directory');
    this.account(content.length - (before?.content.length ?? 0), before === undefined ? 1 : 0);
    folder.children.set(name, { kind: 'file', content, mode: mode ?? before?.mode ?? 0o644, modifiedMs: nowMs });
    folder.modifiedMs = nowMs;
  }

  /** Makes a directory, and those above it that are missing. */
  makeDirectories(parts: readonly string[], nowMs: number): void {
    for (let depth = 1; depth <= parts.length; depth++) {
      const path = parts.slice(0, depth);
      const { folder, name } = this.place(path);
      if (folder.children.has(name)) continue;
      this.account(0, 1);
      folder.children.set(name, { kind: 'directory', children: new Map(), modifiedMs: nowMs });
      folder.modifiedMs = nowMs;
    }
  }

  /** Takes away a file or a whole directory. */
  remove(parts: readonly string[], nowMs: number): void {
    const { folder, name } = this.place(parts);
    const node = folder.children.get(name);
    if (node === undefined) throw new FileError('No such file or directory');
    const [bytes, count] = measure(node);
    this.account(-bytes, -count);
    folder.children.delete(name);
    folder.modifiedMs = nowMs;
  }

  private place(parts: readonly string[]): { readonly folder: DirectoryNode; readonly name: string } {
    const folder = this.get(parts.slice(0, -1));
    const name = parts.at(-1);
    if (parts.length > MAX_DEPTH) throw new FileError('File name too long');
    if (folder === undefined) throw new FileError('No such file or directory');
    if (folder.kind !== 'directory') throw new FileError('Not a directory');
    if (name === undefined) throw new FileError('Is a directory');
    return { folder, name };
  }

  private account(bytes: number, nodes: number): void {
    const isFull = bytes > 0 && this.usedBytes + bytes > this.limits.volumeBytes;
    if (isFull || (nodes > 0 && this.nodes + nodes > this.limits.files)) throw new FileError('No space left on device');
    this.usedBytes += bytes;
    this.nodes += nodes;
    this.onChange();
  }
}

function measure(node: TreeNode): [bytes: number, nodes: number] {
  if (node.kind === 'file') return [node.content.length, 1];
  const inside = [...node.children.values()].map(measure);
  return inside.reduce(([bytes, nodes], [more, count]) => [bytes + more, nodes + count], [0, 1]);
}
