import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rfc3339 } from '@/lib/clock/rfc3339';
import { messageOf } from '@/lib/errors/errors';
import { arrayAt, type JsonObject, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { parseQuantity } from '@/lib/kube/quantity';
import type { Cluster } from './cluster';
import { ConfigError } from './config-sources';
import { CLAIMS, STORAGE_CLASSES, VOLUMES } from './resources';
import { requireTool, runTool } from './tools';

const PROVISIONER = 'node.bravo.kudo.dev/loop';
const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';
const CLASS = 'loop';

/**
 * PersistentVolumes as image files with ext4, one for each claim of our StorageClass, mounted through loop devices. They have a real
 * `lost+found`, a real size, and are deleted with the PersistentVolume.
 */
export class ClaimVolumes {
  private readonly mounting = new Map<string, Promise<string>>();
  private readonly growing = new Set<string>();

  constructor(
    private readonly folder: string,
    private readonly cluster: Cluster,
    private readonly nodeName: string,
  ) {
    mkdirSync(folder, { recursive: true });
  }

  /** Creates the StorageClass `loop`, and makes it the default one if there is none. */
  async ensureClass(): Promise<void> {
    const { items } = await this.cluster.api.list(STORAGE_CLASSES);
    if (items.some((each) => nameOf(each) === CLASS)) return;
    const hasDefault = items.some((each) => each.metadata.annotations?.[DEFAULT_CLASS] === 'true');
    await this.cluster.api.create(STORAGE_CLASSES, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: CLASS, annotations: hasDefault ? {} : { [DEFAULT_CLASS]: 'true' } },
      provisioner: PROVISIONER,
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'Immediate',
      allowVolumeExpansion: true,
    });
  }

  /** Makes the volume of a claim that waits for one, and grows one whose claim asks for more. */
  async reconcileClaim(claim: KubeObject): Promise<void> {
    if (claim.metadata.deletionTimestamp !== undefined) return;
    const className = stringAt(claim, 'spec', 'storageClassName') ?? '';
    const storageClass =
      className === '' ? undefined : await this.cluster.api.get({ ...STORAGE_CLASSES, name: className });
    if (storageClass === undefined || stringAt(storageClass, 'provisioner') !== PROVISIONER) return;
    const name = `pvc-${claim.metadata.uid ?? ''}`;
    const volume = await this.cluster.api.get({ ...VOLUMES, name });
    if (volume === undefined) {
      if ((stringAt(claim, 'spec', 'volumeName') ?? '') !== '') return;
      await this.makeImage(name, bytesOf(requestOf(claim)));
      await this.cluster.api.create(VOLUMES, this.volumeFor(claim, storageClass));
    } else if (bytesOf(requestOf(claim)) > bytesOf(stringAt(volume, 'spec', 'capacity', 'storage') ?? '0')) {
      await this.grow(claim, volume);
    }
  }

  /** A volume of ours whose claim was deleted is deleted, and its image file with it. */
  async reconcileVolume(volume: KubeObject): Promise<void> {
    if (!isOurs(volume) || volume.metadata.deletionTimestamp !== undefined) return;
    const isDeleted = stringAt(volume, 'spec', 'persistentVolumeReclaimPolicy') === 'Delete';
    if (isDeleted && stringAt(volume, 'status', 'phase') === 'Released') {
      await this.cluster.api.delete({ ...VOLUMES, name: nameOf(volume) });
    }
  }

  async volumeDeleted(volume: KubeObject): Promise<void> {
    if (!isOurs(volume)) return;
    const name = nameOf(volume);
    this.mounting.delete(name);
    await runTool('umount', ['--lazy', this.mountOf(name)]);
    rmSync(this.imageOf(name), { force: true });
    rmSync(this.mountOf(name), { recursive: true, force: true });
  }

  /** The mounted folder of a bound claim. @throws ConfigError */
  async folderOf(namespace: string, claimName: string): Promise<string> {
    const claim = await this.cluster.api.get({ ...CLAIMS, namespace, name: claimName });
    if (claim === undefined) throw new ConfigError(`persistentvolumeclaim "${claimName}" not found`);
    const name = stringAt(claim, 'spec', 'volumeName') ?? '';
    if (stringAt(claim, 'status', 'phase') !== 'Bound')
      throw new ConfigError(`PersistentVolumeClaim ${claimName} is not bound`);
    if (!existsSync(this.imageOf(name))) throw new ConfigError(`PersistentVolume ${name} is not of this node`);
    const mounted = this.mounting.get(name) ?? this.mount(name);
    this.mounting.set(name, mounted);
    try {
      const folder = await mounted;
      if (this.growing.has(name)) await this.growUnmounted(claim, name);
      return folder;
    } catch (error) {
      this.mounting.delete(name);
      throw new ConfigError(messageOf(error));
    }
  }

  private async mount(name: string): Promise<string> {
    const folder = this.mountOf(name);
    mkdirSync(folder, { recursive: true });
    await requireTool('mount', ['-t', 'ext4', '-o', 'loop', this.imageOf(name), folder]);
    return folder;
  }

  private async makeImage(name: string, bytes: number): Promise<void> {
    const image = this.imageOf(name);
    if (existsSync(image)) return;
    await requireTool('truncate', ['-s', String(bytes), `${image}.part`]);
    // The file is sparse and no tables are written ahead: a volume of 10 GiB takes some hundred KiB.
    await requireTool('mkfs.ext4', [
      '-q',
      '-F',
      '-E',
      'lazy_itable_init=1,lazy_journal_init=1,nodiscard',
      `${image}.part`,
    ]);
    await requireTool('mv', [`${image}.part`, image]);
  }

  /**
   * Grows image, device and file system. A file system in use grows only for a caller with CAP_SYS_RESOURCE; otherwise it grows when
   * the next pod mounts it, which the condition FileSystemResizePending says, as that of a driver without online growth.
   */
  private async grow(claim: KubeObject, volume: KubeObject): Promise<void> {
    const name = nameOf(volume);
    const size = requestOf(claim);
    await requireTool('truncate', ['-s', String(bytesOf(size)), this.imageOf(name)]);
    await this.cluster.api.patch({ ...VOLUMES, name }, 'merge', { spec: { capacity: { storage: size } } });
    const device = await this.deviceOf(name);
    const isGrown =
      device !== '' && (await runTool('sh', ['-c', 'losetup -c "$1" && resize2fs "$1"', 'sh', device])).code === 0;
    if (isGrown) return this.reportSize(claim, size);
    this.growing.add(name);
    const pending = { type: 'FileSystemResizePending', status: 'True', lastTransitionTime: rfc3339(Date.now()) };
    const message = 'Waiting for the next pod to mount the volume, which grows its file system.';
    await this.patchClaim(claim, { conditions: [{ ...pending, message }] });
  }

  /** Grows a file system that no container uses any more; otherwise it stays as it is. */
  private async growUnmounted(claim: KubeObject, name: string): Promise<void> {
    await requireTool('umount', [this.mountOf(name)]);
    const device = await this.deviceOf(name);
    if (device !== '') {
      // Containers have it mounted: the same device, because two would damage the file system.
      await requireTool('mount', [device, this.mountOf(name)]);
      return;
    }
    this.growing.delete(name);
    await requireTool('sh', ['-c', 'e2fsck -fp "$1" > /dev/null; resize2fs "$1"', 'sh', this.imageOf(name)]);
    await this.mount(name);
    await this.reportSize(claim, requestOf(claim));
  }

  private reportSize(claim: KubeObject, size: string): Promise<void> {
    return this.patchClaim(claim, { capacity: { storage: size }, conditions: [] });
  }

  private async patchClaim(claim: KubeObject, status: JsonObject): Promise<void> {
    const target = { ...CLAIMS, namespace: namespaceOf(claim), name: nameOf(claim) };
    await this.cluster.api.patch(target, 'merge', { status }, { subresource: 'status' });
  }

  /** The loop device of a mounted volume; '' for one that is mounted nowhere. */
  private async deviceOf(name: string): Promise<string> {
    const devices = await requireTool('losetup', ['-n', '-O', 'NAME', '-j', this.imageOf(name)]);
    return devices.trim().split('\n')[0] ?? '';
  }

  private volumeFor(claim: KubeObject, storageClass: KubeObject): KubeObject {
    const { uid = '', resourceVersion = '' } = claim.metadata;
    const claimRef = {
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: nameOf(claim), namespace: namespaceOf(claim) },
      ...{ uid, resourceVersion },
    };
    const spec: JsonObject = {
      capacity: { storage: requestOf(claim) },
      accessModes: [...arrayAt(claim, 'spec', 'accessModes')],
      persistentVolumeReclaimPolicy: stringAt(storageClass, 'reclaimPolicy') ?? 'Delete',
      storageClassName: nameOf(storageClass),
      volumeMode: 'Filesystem',
      local: { path: this.mountOf(`pvc-${uid}`) },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [this.nodeName] }] },
          ],
        },
      },
      claimRef,
    };
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `pvc-${uid}`, annotations: { 'pv.kubernetes.io/provisioned-by': PROVISIONER } },
      spec,
    };
  }

  private imageOf(name: string): string {
    return join(this.folder, `${name}.img`);
  }

  private mountOf(name: string): string {
    return join(this.folder, name);
  }
}

function isOurs(volume: KubeObject): boolean {
  return volume.metadata.annotations?.['pv.kubernetes.io/provisioned-by'] === PROVISIONER;
}

function requestOf(claim: KubeObject): string {
  return stringAt(claim, 'spec', 'resources', 'requests', 'storage') ?? '1Gi';
}

function bytesOf(quantity: string): number {
  return Number((parseQuantity(quantity)?.nano ?? 0n) / 1_000_000_000n);
}
