import { arrayAt, getAt, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { namespaceOf } from '@/lib/kube/object';
import type { WorkloadContext } from '../core/context';
import { resources } from '../core/resources';
import { type FileTree, splitPath } from '../shell/language/file-tree';
import { encode } from '../shell/language/io';
import { type Mount, MountedFiles } from '../shell/language/mounted-files';
import { type ClaimVolumes, newTree } from './claim-volumes';
import { ConfigProblem, sourceOf } from './config-sources';
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
    const volumes = new Map(arrayAt(pod, 'spec', 'volumes').map((volume) => [stringAt(volume, 'name'), volume]));
    const { clock } = this.context;
    const mounts: Mount[] = [];
    for (const mount of arrayAt(container, 'volumeMounts')) {
      const volume = volumes.get(stringAt(mount, 'name'));
      if (volume === undefined) continue;
      const tree = this.tree(pod, volume);
      const within = splitPath(stringAt(mount, 'subPath') ?? stringAt(mount, 'subPathExpr') ?? '');
      if (tree.get(within) === undefined) tree.makeDirectories(within, clock.now());
      const readOnly = objectAt(mount).readOnly === true || isFilled(volume);
      mounts.push({ at: splitPath(stringAt(mount, 'mountPath') ?? '/'), tree, within, readOnly });
    }
    const files = new MountedFiles(root, mounts, clock);
    for (const folder of ['/tmp', '/root', '/etc', '/var', '/dev']) files.makeDirectories(folder);
    return files;
  }

  private tree(pod: KubeObject, volume: JsonValue): FileTree {
    const { persistentVolumeClaim, hostPath } = objectAt(volume);
    if (hostPath !== undefined) return this.claims.ofHostPath(stringAt(hostPath, 'path') ?? '');
    if (persistentVolumeClaim !== undefined) {
      const name = stringAt(persistentVolumeClaim, 'claimName') ?? '';
      const claim = this.context.get(resources.persistentvolumeclaims, namespaceOf(pod), name);
      if (claim === undefined) throw new ConfigProblem(`persistentvolumeclaim "${name}" not found`);
      return this.claims.ofClaim(claim.metadata.uid ?? '');
    }
    const name = stringAt(volume, 'name') ?? '';
    const tree = (isFilled(volume) ? undefined : this.own.get(name)) ?? newTree();
    if (isFilled(volume)) this.fill(tree, pod, volume);
    else this.own.set(name, tree);
    return tree;
  }

  /** Writes the files of a ConfigMap, Secret, downward API or projected source. */
  private fill(tree: FileTree, pod: KubeObject, source: JsonValue): void {
    this.fillByKeys(tree, pod, 'configmap', getAt(source, 'configMap'));
    this.fillByKeys(tree, pod, 'secret', getAt(source, 'secret'));
    for (const item of arrayAt(source, 'downwardAPI', 'items')) {
      this.put(tree, stringAt(item, 'path') ?? '', encode(fieldOf(pod, stringAt(item, 'fieldRef', 'fieldPath') ?? '')));
    }
    for (const part of arrayAt(source, 'projected', 'sources')) this.fill(tree, pod, part);
  }

  /** Writes the keys of a ConfigMap or Secret that the reference lists, or all. */
  private fillByKeys(
    tree: FileTree,
    pod: KubeObject,
    kind: 'configmap' | 'secret',
    reference: JsonValue | undefined,
  ): void {
    const data = sourceOf(this.context, pod, kind, reference);
    const items = arrayAt(reference, 'items').map((item) => [
      stringAt(item, 'key') ?? '',
      stringAt(item, 'path') ?? '',
    ]);
    const all = [...(data?.keys() ?? [])].map((key) => [key, key]);
    for (const [key = '', path = ''] of items.length > 0 ? items : all) {
      const content = data?.get(key);
      if (content !== undefined) this.put(tree, path, content);
      else if (objectAt(reference).optional !== true) {
        throw new ConfigProblem(`references non-existent ${kind === 'secret' ? kind : 'config'} key: ${key}`);
      }
    }
  }

  private put(tree: FileTree, path: string, content: Uint8Array): void {
    const parts = splitPath(path);
    if (parts.length === 0) return;
    tree.makeDirectories(parts.slice(0, -1), this.context.clock.now());
    tree.write(parts, content, this.context.clock.now());
  }
}

/** True for a volume that holds what the API server says, and that nobody can write. */
function isFilled(volume: JsonValue): boolean {
  const source = objectAt(volume);
  return ['configMap', 'secret', 'projected', 'downwardAPI'].some((kind) => source[kind] !== undefined);
}
