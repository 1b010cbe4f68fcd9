import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { arrayAt, getAt, type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import { type KubeObject, namespaceOf } from '@/lib/kube/object';
import { writeAtomically } from './atomic-folder';
import { ConfigError, type ConfigSources } from './config-sources';
import type { BindMount } from './runtime-spec';
import { requireTool, runTool } from './tools';
import { filesOfVolume } from './volume-files';

export interface VolumeParts {
  readonly sources: ConfigSources;
  /** Resolves with the mounted folder of a claim; throws ConfigError when the claim is not bound. */
  claimFolder(namespace: string, claim: string): Promise<string>;
  /** A token of a service account for an audience. */
  token(pod: KubeObject, audience: string): Promise<string>;
}

/** The volumes of one pod, each a folder of this machine. */
export class PodVolumes {
  private readonly folders = new Map<string, string>();
  private readonly mounted: string[] = [];
  private readonly tokens = new Map<string, string>();

  constructor(
    private readonly folder: string,
    private readonly parts: VolumeParts,
  ) {}

  /** Makes all volumes. @throws ConfigError for what is missing; may be called again */
  async prepare(pod: KubeObject): Promise<void> {
    await this.fetchTokens(pod);
    for (const volume of arrayAt(pod, 'spec', 'volumes')) await this.prepareOne(volume, pod);
  }

  /** Writes again what changed in ConfigMaps, Secrets and the pod. An object that was deleted changes nothing. */
  refresh(pod: KubeObject): void {
    for (const volume of arrayAt(pod, 'spec', 'volumes')) {
      const folder = this.folders.get(stringAt(volume, 'name') ?? '');
      if (folder === undefined) continue;
      try {
        const files = filesOfVolume(volume, pod, this.parts.sources, this.tokenOf);
        if (files !== undefined) writeAtomically(folder, files, fsGroupOf(pod));
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
      }
    }
  }

  /** The mounts of a container; folders that a subPath names are made. */
  mountsOf(container: JsonValue): BindMount[] {
    return arrayAt(container, 'volumeMounts').map((mount) => {
      const name = stringAt(mount, 'name') ?? '';
      const folder = this.folders.get(name) ?? '';
      const subPath = stringAt(mount, 'subPath') ?? '';
      const source = join(folder, subPath);
      if (subPath !== '' && !existsSync(source)) {
        mkdirSync(source, { recursive: true });
        chmodSync(source, 0o2777);
      }
      const readOnly = getAt(mount, 'readOnly') === true;
      return { source, destination: stringAt(mount, 'mountPath') ?? '', readOnly };
    });
  }

  async release(): Promise<void> {
    for (const folder of this.mounted) await runTool('umount', ['--lazy', folder]);
  }

  private async prepareOne(volume: JsonValue, pod: KubeObject): Promise<void> {
    const name = stringAt(volume, 'name') ?? '';
    if (this.folders.has(name)) return;
    const group = fsGroupOf(pod);
    const own = join(this.folder, name);
    const files = filesOfVolume(volume, pod, this.parts.sources, this.tokenOf);
    const claim = stringAt(volume, 'persistentVolumeClaim', 'claimName');
    const hostPath = stringAt(volume, 'hostPath', 'path');
    if (files !== undefined) {
      writeAtomically(own, files, group);
      this.folders.set(name, own);
    } else if (claim !== undefined) {
      const folder = await this.parts.claimFolder(namespaceOf(pod), claim);
      if (group !== undefined && !(isRootMatch(pod) && belongsTo(folder, group))) await giveToGroup(folder, group);
      this.folders.set(name, folder);
    } else if (hostPath !== undefined) {
      throw new ConfigError(`hostPath volumes are not given to pods by this node: ${hostPath}`);
    } else {
      await this.emptyFolder(own, volume, group);
      this.folders.set(name, own);
    }
  }

  private async emptyFolder(folder: string, volume: JsonValue, group: number | undefined): Promise<void> {
    mkdirSync(folder, { recursive: true });
    if (stringAt(volume, 'emptyDir', 'medium') === 'Memory') {
      await requireTool('mount', ['-t', 'tmpfs', 'tmpfs', folder]);
      this.mounted.push(folder);
    }
    chmodSync(folder, 0o777);
    if (group !== undefined) await giveToGroup(folder, group);
  }

  private async fetchTokens(pod: KubeObject): Promise<void> {
    for (const volume of arrayAt(pod, 'spec', 'volumes')) {
      for (const source of arrayAt(volume, 'projected', 'sources')) {
        if (getAt(source, 'serviceAccountToken') === undefined) continue;
        const audience = stringAt(source, 'serviceAccountToken', 'audience') ?? '';
        if (!this.tokens.has(audience)) this.tokens.set(audience, await this.parts.token(pod, audience));
      }
    }
  }

  private readonly tokenOf = (audience: string): string => this.tokens.get(audience) ?? '';
}

function fsGroupOf(pod: KubeObject): number | undefined {
  return numberAt(pod, 'spec', 'securityContext', 'fsGroup');
}

function isRootMatch(pod: KubeObject): boolean {
  return stringAt(pod, 'spec', 'securityContext', 'fsGroupChangePolicy') === 'OnRootMismatch';
}

function belongsTo(folder: string, group: number): boolean {
  const { gid, mode } = statSync(folder);
  return gid === group && (mode & 0o2770) === 0o2770;
}

/** Every file belongs to the group, which may read and write; new files inherit it (kubelet SetVolumeOwnership). */
async function giveToGroup(folder: string, group: number): Promise<void> {
  await requireTool('chgrp', ['-R', '-h', String(group), folder]);
  await requireTool('find', [folder, '-type', 'd', '-exec', 'chmod', 'g+rwxs', '{}', '+']);
  await requireTool('find', [folder, '-type', 'f', '-exec', 'chmod', 'g+rw', '{}', '+']);
}
