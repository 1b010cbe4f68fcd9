import { arrayAt, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { namespaceOf } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { type FileTree, splitPath } from '../shell/language/file-tree';
import { type Mount, MountedFiles } from '../shell/language/mounted-files';
import { type ClaimVolumes, newTree } from './claim-volumes';
import { ConfigProblem, type ConfigSource, sourceOf } from './config-sources';
import { fieldOf } from './pod-fields';

/**
 * The volumes of one pod by name. emptyDirs live with the pod; ConfigMaps, Secrets and projected ones are written anew
 * at each access, so that a container that starts later sees the present content.
 */
export class PodVolumes {
  private readonly own = new Map<string, FileTree>();

  constructor(
    private readonly context: WorkloadContext,
    private readonly claims: ClaimVolumes,
  ) {}

  /** Throws {@link ConfigProblem} in the kubelet's words when a volume's source is missing. */
  check(pod: KubeObject): void {
    for (const volume of arrayAt(pod, 'spec', 'volumes')) {
      try {
        this.tree(pod, volume);
      } catch (error) {
        if (!(error instanceof ConfigProblem)) throw error;
        const name = stringAt(volume, 'name') ?? '';
        throw new ConfigProblem(`MountVolume.SetUp failed for volume "${name}" : ${error.message}`);
      }
    }
  }

  /** What a container sees: its own root and its mounts. */
  filesFor(pod: KubeObject, container: JsonValue, root: FileTree): MountedFiles {
    const volumes = new Map(arrayAt(pod, 'spec', 'volumes').map((volume) => [stringAt(volume, 'name') ?? '', volume]));
    const nowMs = this.context.clock.now();
    const mounts: Mount[] = [];
    for (const mount of arrayAt(container, 'volumeMounts')) {
      const volume = volumes.get(stringAt(mount, 'name') ?? '');
      if (volume === undefined) continue;
      const tree = this.tree(pod, volume);
      const within = splitPath(stringAt(mount, 'subPath') ?? stringAt(mount, 'subPathExpr') ?? '');
      for (let depth = 1; depth <= within.length; depth++) {
        if (tree.get(within.slice(0, depth)) === undefined) tree.makeDirectory(within.slice(0, depth), nowMs);
      }
      const readOnly = objectAt(mount).readOnly === true || isReadOnly(volume);
      mounts.push({ at: splitPath(stringAt(mount, 'mountPath') ?? '/'), tree, within, readOnly });
    }
    const files = new MountedFiles(root, mounts, { image: 'unknown' });
    for (const folder of ['/tmp', '/root', '/etc', '/var', '/dev']) files.makeDirectories(folder, nowMs);
    return files;
  }

  private tree(pod: KubeObject, volume: JsonValue): FileTree {
    const name = stringAt(volume, 'name') ?? '';
    const source = objectAt(volume);
    if (source.persistentVolumeClaim !== undefined) return this.claimTree(pod, volume);
    if (source.hostPath !== undefined) return this.claims.ofHostPath(stringAt(volume, 'hostPath', 'path') ?? '');
    if (
      source.configMap === undefined &&
      source.secret === undefined &&
      source.projected === undefined &&
      source.downwardAPI === undefined
    ) {
      return this.ownTree(name);
    }
    const tree = newTree();
    this.fill(tree, pod, volume);
    return tree;
  }

  private ownTree(name: string): FileTree {
    const present = this.own.get(name);
    if (present !== undefined) return present;
    const made = newTree();
    this.own.set(name, made);
    return made;
  }

  private claimTree(pod: KubeObject, volume: JsonValue): FileTree {
    const name = stringAt(volume, 'persistentVolumeClaim', 'claimName') ?? '';
    const claim = this.context.get(resources.persistentvolumeclaims, namespaceOf(pod), name);
    if (claim === undefined) throw new ConfigProblem(`persistentvolumeclaim "${name}" not found`);
    return this.claims.ofClaim(claim.metadata.uid ?? '');
  }

  /** Writes the files of a ConfigMap, Secret, downward API or projected source. */
  private fill(tree: FileTree, pod: KubeObject, source: JsonValue): void {
    for (const [field, kind, nameField] of [
      ['configMap', 'configmap', 'name'],
      ['secret', 'secret', 'secretName'],
    ] as const) {
      const reference = objectAt(source, field);
      const name = stringAt(reference, nameField) ?? stringAt(reference, 'name');
      if (name === undefined) continue;
      const data = sourceOf(this.context, pod, { kind, name });
      const isOptional = reference.optional === true;
      if (data === undefined && !isOptional) throw new ConfigProblem(`${kind} "${name}" not found`);
      for (const [key, path] of placesOf(reference, data)) {
        const content = data?.get(key);
        if (content !== undefined) this.put(tree, path, content);
        else if (!isOptional) {
          throw new ConfigProblem(`references non-existent ${kind === 'secret' ? kind : 'config'} key: ${key}`);
        }
      }
    }
    for (const item of arrayAt(source, 'downwardAPI', 'items')) {
      const text = fieldOf(pod, stringAt(item, 'fieldRef', 'fieldPath') ?? '');
      this.put(tree, stringAt(item, 'path') ?? '', new TextEncoder().encode(text));
    }
    for (const part of arrayAt(source, 'projected', 'sources')) this.fill(tree, pod, part);
  }

  private put(tree: FileTree, path: string, content: Uint8Array): void {
    const parts = splitPath(path);
    const nowMs = this.context.clock.now();
    for (let depth = 1; depth < parts.length; depth++) {
      if (tree.get(parts.slice(0, depth)) === undefined) tree.makeDirectory(parts.slice(0, depth), nowMs);
    }
    if (parts.length > 0) tree.write(parts, content, { nowMs });
  }
}

/** Which keys become files, and where: those that are listed, or all. */
function placesOf(reference: JsonValue, data: ConfigSource | undefined): [key: string, path: string][] {
  const items = arrayAt(reference, 'items');
  if (items.length > 0) return items.map((item) => [stringAt(item, 'key') ?? '', stringAt(item, 'path') ?? '']);
  return data === undefined ? [] : [...data.keys()].map((key) => [key, key]);
}

function isReadOnly(volume: JsonValue): boolean {
  const source = objectAt(volume);
  return ['configMap', 'secret', 'projected', 'downwardAPI'].some((kind) => source[kind] !== undefined);
}
