import type { Clock } from '@/lib/clock/clock';
import { FileError, type FileTree, splitPath, type TreeNode } from './file-tree';

export interface Mount {
  /** Where in the container: parts of an absolute path. */
  readonly at: readonly string[];
  readonly tree: FileTree;
  /** Which part of the tree (`subPath`). */
  readonly within: readonly string[];
  readonly readOnly: boolean;
}

/**
 * The files that one container sees: its own root and its volumes, by absolute path. The files of its image are unknown:
 * every folder is assumed to exist in it.
 */
export class MountedFiles {
  private readonly own: Mount;
  private readonly mounts: readonly Mount[];

  /** @param root the container's own layer */
  constructor(
    root: FileTree,
    mounts: readonly Mount[],
    private readonly clock: Clock,
  ) {
    this.own = { at: [], tree: root, within: [], readOnly: false };
    this.mounts = [...mounts].sort((a, b) => b.at.length - a.at.length);
  }

  get(path: string): TreeNode | undefined {
    const { mount, parts } = this.place(path);
    const found = mount.tree.get(parts);
    if (found !== undefined || this.mountsBelow(path).length === 0) return found;
    // A directory that exists only because a volume is mounted below it.
    return { kind: 'directory', children: new Map(), modifiedMs: 0 };
  }

  /** The content of a file. */
  read(path: string): Uint8Array {
    const node = this.get(path);
    if (node === undefined) throw new FileError('No such file or directory');
    if (node.kind === 'directory') throw new FileError('Is a directory');
    return node.content;
  }

  write(path: string, content: Uint8Array, mode?: number): void {
    const { mount, parts } = this.writable(path);
    if (mount === this.own) mount.tree.makeDirectories(parts.slice(0, -1), this.clock.now());
    mount.tree.write(parts, content, this.clock.now(), mode);
  }

  /** `mkdir -p`. */
  makeDirectories(path: string): void {
    const node = this.get(path);
    if (node?.kind === 'file') throw new FileError('File exists');
    if (node !== undefined) return;
    const { mount, parts } = this.writable(path);
    mount.tree.makeDirectories(parts, this.clock.now());
  }

  /** True for a path of the container's own layer: no volume is mounted there. */
  isOfImage(path: string): boolean {
    return this.place(path).mount === this.own;
  }

  remove(path: string): void {
    const { mount, parts } = this.writable(path);
    if (parts.length === mount.within.length) throw new FileError('Device or resource busy');
    mount.tree.remove(parts, this.clock.now());
  }

  /** The names in a directory, sorted; mounted volumes count. */
  list(path: string): string[] {
    const node = this.get(path);
    if (node === undefined) throw new FileError('No such file or directory');
    if (node.kind !== 'directory') throw new FileError('Not a directory');
    const depth = splitPath(path).length;
    const mounted = this.mountsBelow(path).map(({ at }) => at[depth] ?? '');
    return [...new Set([...node.children.keys(), ...mounted])].sort();
  }

  /** A file, or a directory and all that is below it; parents come before what they hold. */
  *walk(path: string): Generator<readonly [path: string, node: TreeNode]> {
    const node = this.get(path);
    if (node === undefined) throw new FileError('No such file or directory');
    yield [path, node];
    if (node.kind === 'file') return;
    for (const name of this.list(path)) yield* this.walk(path === '/' ? `/${name}` : `${path}/${name}`);
  }

  private mountsBelow(path: string): Mount[] {
    const parts = splitPath(path);
    return this.mounts.filter(({ at }) => at.length > parts.length && parts.every((part, index) => at[index] === part));
  }

  private writable(path: string): ReturnType<MountedFiles['place']> {
    const place = this.place(path);
    if (place.mount.readOnly) throw new FileError('Read-only file system');
    return place;
  }

  private place(path: string): { readonly mount: Mount; readonly parts: readonly string[] } {
    const parts = splitPath(path);
    const mount = this.mounts.find(({ at }) => at.every((part, index) => parts[index] === part)) ?? this.own;
    return { mount, parts: [...mount.within, ...parts.slice(mount.at.length)] };
  }
}
