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
export class FileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FileError';
  }
}

/** The parts of a normalised path: `/a/./b/../c` → `a`, `c`. */
export function splitPath(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
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
    let node: TreeNode = this.root;
    for (const part of parts) {
      if (node.kind !== 'directory') return undefined;
      const child = node.children.get(part);
      if (child === undefined) return undefined;
      node = child;
    }
    return node;
  }

  write(parts: readonly string[], content: Uint8Array, options: { nowMs: number; mode?: number | undefined }): void {
    const name = parts.at(-1);
    if (name === undefined) throw new FileError('Is a directory');
    const parent = this.directory(parts.slice(0, -1));
    const before = parent.children.get(name);
    if (before?.kind === 'directory') throw new FileError('Is a directory');
    this.account(content.length - (before?.content.length ?? 0), before === undefined ? 1 : 0);
    const mode = options.mode ?? before?.mode ?? 0o644;
    parent.children.set(name, { kind: 'file', content, mode, modifiedMs: options.nowMs });
    parent.modifiedMs = options.nowMs;
  }

  /** Makes one directory; its parent must be there. */
  makeDirectory(parts: readonly string[], nowMs: number): void {
    const name = parts.at(-1);
    if (name === undefined) throw new FileError('File exists');
    const parent = this.directory(parts.slice(0, -1));
    if (parent.children.has(name)) throw new FileError('File exists');
    this.account(0, 1);
    parent.children.set(name, { kind: 'directory', children: new Map(), modifiedMs: nowMs });
    parent.modifiedMs = nowMs;
  }

  /** Takes away a file or a whole directory. */
  remove(parts: readonly string[], nowMs: number): void {
    const name = parts.at(-1);
    if (name === undefined) throw new FileError('Device or resource busy');
    const parent = this.directory(parts.slice(0, -1));
    const node = parent.children.get(name);
    if (node === undefined) throw new FileError('No such file or directory');
    const [bytes, count] = measure(node);
    this.account(-bytes, -count);
    parent.children.delete(name);
    parent.modifiedMs = nowMs;
  }

  private directory(parts: readonly string[]): DirectoryNode {
    const node = this.get(parts);
    if (node === undefined) throw new FileError('No such file or directory');
    if (node.kind !== 'directory') throw new FileError('Not a directory');
    return node;
  }

  private account(bytes: number, nodes: number): void {
    if (this.usedBytes + bytes > this.limits.volumeBytes && bytes > 0) throw new FileError('No space left on device');
    if (this.nodes + nodes > this.limits.files && nodes > 0) throw new FileError('No space left on device');
    this.usedBytes += bytes;
    this.nodes += nodes;
    this.onChange();
  }
}

function measure(node: TreeNode): [bytes: number, nodes: number] {
  if (node.kind === 'file') return [node.content.length, 1];
  let bytes = 0;
  let nodes = 1;
  for (const child of node.children.values()) {
    const [more, count] = measure(child);
    bytes += more;
    nodes += count;
  }
  return [bytes, nodes];
}
