import { FileError, type FileTree, splitPath, type TreeNode } from './file-tree';

export interface Mount {
  /** Where in the container: parts of an absolute path. */
  readonly at: readonly string[];
  readonly tree: FileTree;
  /** Which part of the tree (`subPath`). */
  readonly within: readonly string[];
  readonly readOnly: boolean;
}

interface Place {
  readonly mount: Mount;
  readonly parts: readonly string[];
}

/** The files that one container sees: its own root and its volumes, by absolute path. */
export class MountedFiles {
  private readonly mounts: readonly Mount[];
  private readonly root: FileTree;

  /**
   * @param root the container's own layer
   * @param options `image: 'unknown'`: the files of the image are unknown, so that any folder is assumed to exist in it
   */
  constructor(
    root: FileTree,
    mounts: readonly Mount[],
    private readonly options: { readonly image?: 'unknown' } = {},
  ) {
    this.root = root;
    const own: Mount = { at: [], tree: root, within: [], readOnly: false };
    this.mounts = [...mounts, own].sort((a, b) => b.at.length - a.at.length);
  }

  get(path: string): TreeNode | undefined {
    const { mount, parts } = this.place(path);
    const found = mount.tree.get(parts);
    if (found !== undefined) return found;
    // A directory that exists only because a volume is mounted below it.
    return this.mountsBelow(path).length > 0 ? { kind: 'directory', children: new Map(), modifiedMs: 0 } : undefined;
  }

  /** The content of a file. */
  read(path: string): Uint8Array {
    const node = this.get(path);
    if (node === undefined) throw new FileError('No such file or directory');
    if (node.kind === 'directory') throw new FileError('Is a directory');
    return node.content;
  }

  write(path: string, content: Uint8Array, options: { nowMs: number; mode?: number | undefined }): void {
    const { mount, parts } = this.writable(path);
    this.assumeFolder(mount, parts, options.nowMs);
    mount.tree.write(parts, content, options);
  }

  makeDirectory(path: string, nowMs: number): void {
    if (this.get(path) !== undefined) throw new FileError('File exists');
    const { mount, parts } = this.writable(path);
    this.assumeFolder(mount, parts, nowMs);
    mount.tree.makeDirectory(parts, nowMs);
  }

  /** True for a path of the container's own layer: no volume is mounted there. */
  isOfImage(path: string): boolean {
    return this.place(path).mount.tree === this.root;
  }

  /** Folders of an unknown image come to be when something is put into them. */
  private assumeFolder(mount: Mount, parts: readonly string[], nowMs: number): void {
    if (this.options.image !== 'unknown' || mount.tree !== this.root) return;
    for (let depth = 1; depth < parts.length; depth++) {
      if (mount.tree.get(parts.slice(0, depth)) === undefined) mount.tree.makeDirectory(parts.slice(0, depth), nowMs);
    }
  }

  /** `mkdir -p`. */
  makeDirectories(path: string, nowMs: number): void {
    let current = '';
    for (const part of splitPath(path)) {
      current += `/${part}`;
      const node = this.get(current);
      if (node?.kind === 'file') throw new FileError('Not a directory');
      if (node === undefined) this.makeDirectory(current, nowMs);
    }
  }

  remove(path: string, nowMs: number): void {
    const { mount, parts } = this.writable(path);
    if (parts.length === mount.within.length) throw new FileError('Device or resource busy');
    mount.tree.remove(parts, nowMs);
  }

  /** The names in a directory, sorted; mounted volumes count. */
  list(path: string): string[] {
    const node = this.get(path);
    if (node === undefined) throw new FileError('No such file or directory');
    if (node.kind !== 'directory') throw new FileError('Not a directory');
    const names = new Set(node.children.keys());
    const depth = splitPath(path).length;
    for (const mount of this.mountsBelow(path)) names.add(mount.at[depth] ?? '');
    return [...names].sort();
  }

  private mountsBelow(path: string): Mount[] {
    const parts = splitPath(path);
    return this.mounts.filter(
      (mount) => mount.at.length > parts.length && parts.every((part, index) => mount.at[index] === part),
    );
  }

  private writable(path: string): Place {
    const place = this.place(path);
    if (place.mount.readOnly) throw new FileError('Read-only file system');
    return place;
  }

  private place(path: string): Place {
    const parts = splitPath(path);
    for (const mount of this.mounts) {
      if (mount.at.length <= parts.length && mount.at.every((part, index) => parts[index] === part)) {
        return { mount, parts: [...mount.within, ...parts.slice(mount.at.length)] };
      }
    }
    throw new FileError('No such file or directory');
  }
}
