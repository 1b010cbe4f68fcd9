import type { Clock, Timer } from '@/lib/clock/clock';
import { limits } from '@/lib/limits/limits';
import type { VolumeStore } from '../../store/volume-store';
import { FileError, FileTree, splitPath } from '../shell/language/file-tree';
import { MountedFiles } from '../shell/language/mounted-files';
import { membersIn, packTar, unpackTar } from '../shell/programs/archive';

/** How long writes are gathered before a volume is kept. */
const SAVE_AFTER_MS = 500;
/** Files with longer names do not fit into the archive and are lost when the sandbox stops. */
const MAX_NAME_CHARS = 95;

export function newTree(): FileTree {
  return new FileTree({ volumeBytes: limits.volumeBytes, files: limits.volumeFiles });
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
    const made = newTree();
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
        const members = [...membersIn(new MountedFiles(tree, [], this.clock), '/', '')];
        this.store?.save(uid, packTar(members.filter(({ name }) => name.length <= MAX_NAME_CHARS)));
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

/** Unpacks what was kept; a damaged archive gives what can be read of it. */
function fill(tree: FileTree, archive: Uint8Array): void {
  try {
    for (const { name, content, mode, modifiedMs } of unpackTar(archive)) {
      if (name.endsWith('/')) tree.makeDirectories(splitPath(name), modifiedMs);
      else tree.write(splitPath(name), content, modifiedMs, mode);
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
  }
}
