import type { Clock, Timer } from '@/lib/clock/clock';
import { limits } from '@/lib/limits/limits';
import type { VolumeStore } from '../../store/volume-store';
import { type DirectoryNode, FileError, FileTree } from '../shell/language/file-tree';
import { type Member, packTar, unpackTar } from '../shell/programs/archive';

const TREE_LIMITS = { volumeBytes: limits.volumeBytes, files: limits.volumeFiles };
/** How long writes are gathered before a volume is kept. */
const SAVE_AFTER_MS = 500;
const MAX_NAME_CHARS = 95;

export function newTree(): FileTree {
  return new FileTree(TREE_LIMITS);
}

/**
 * Volumes that outlive pods: those of claims by the claim's uid, and host paths. With a store, the content of claims is
 * saved shortly after it changes and restored after a restart; host paths live as long as the process.
 */
export class ClaimVolumes {
  private readonly trees = new Map<string, FileTree>();
  private readonly dirty = new Set<string>();
  private timer: Timer | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly store: VolumeStore | undefined,
    private readonly onFailure: (error: unknown, claimUid: string) => void,
  ) {}

  /** The volume of a claim. */
  ofClaim(uid: string): FileTree {
    const present = this.trees.get(uid);
    if (present !== undefined) return present;
    const made = new FileTree(TREE_LIMITS);
    const archive = this.store?.load(uid);
    if (archive !== undefined) fill(made, archive);
    made.onChange = () => this.touch(uid);
    this.trees.set(uid, made);
    return made;
  }

  ofHostPath(path: string): FileTree {
    const key = `host:${path}`;
    const present = this.trees.get(key) ?? newTree();
    this.trees.set(key, present);
    return present;
  }

  /** Forgets the content of a deleted claim. */
  drop(uid: string): void {
    this.trees.delete(uid);
    this.dirty.delete(uid);
    this.store?.drop(uid);
  }

  /** Keeps at once what has changed. */
  flush(): void {
    this.timer?.cancel();
    this.timer = undefined;
    for (const uid of this.dirty) {
      const tree = this.trees.get(uid);
      if (tree === undefined) continue;
      try {
        this.store?.save(uid, packTar([...membersOf(tree.root, '')]));
      } catch (error) {
        this.onFailure(error, uid);
      }
    }
    this.dirty.clear();
  }

  private touch(uid: string): void {
    if (this.store === undefined) return;
    this.dirty.add(uid);
    this.timer ??= this.clock.after(SAVE_AFTER_MS, () => this.flush());
  }
}

function* membersOf(folder: DirectoryNode, prefix: string): Generator<Member> {
  for (const [name, node] of folder.children) {
    const path = `${prefix}${name}`;
    // The format has no room for longer names; whoever makes them loses them with the process.
    if (path.length > MAX_NAME_CHARS) continue;
    if (node.kind === 'file') {
      yield { name: path, content: node.content, mode: node.mode, modifiedMs: node.modifiedMs };
    } else {
      yield { name: `${path}/`, content: new Uint8Array(0), mode: 0o755, modifiedMs: node.modifiedMs };
      yield* membersOf(node, `${path}/`);
    }
  }
}

/** Unpacks what was kept; a damaged archive gives what can be read of it. */
function fill(tree: FileTree, archive: Uint8Array): void {
  try {
    for (const { name, content, mode, modifiedMs } of unpackTar(archive)) {
      const parts = name.split('/').filter((part) => part !== '');
      if (name.endsWith('/')) tree.makeDirectory(parts, modifiedMs);
      else tree.write(parts, content, { nowMs: modifiedMs, mode });
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
  }
}
