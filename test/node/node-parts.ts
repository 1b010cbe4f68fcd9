import type { KubeObject } from '@/lib/kube/object';
import type { Cluster } from './cluster';
import type { ContainerRuntime } from './container-runtime';
import type { ImageDefinition } from './image-definition';
import type { PodNetwork } from './pod-network';
import type { VolumeParts } from './pod-volumes';

/** What pods and containers use of their node. */
export interface NodeParts {
  readonly cluster: Cluster;
  readonly runtime: ContainerRuntime;
  readonly network: PodNetwork;
  readonly volumes: VolumeParts;
  /** The folder for the files of pods. */
  readonly folder: string;
  /** The node's own address: host address and name server of all pods. */
  readonly address: string;
  /** The first wait before a container is started again; it doubles up to five minutes. The kubelet has 10 s. */
  readonly restartBackoffMs: number;
  /** The root file system of an image. */
  rootFiles(image: ImageDefinition): Promise<string>;
}

/** A pod as its containers see it. */
export interface PodContext {
  /** As last seen. */
  readonly pod: KubeObject;
  readonly address: string;
  /** Files of this machine that every container gets: /etc/hosts, /etc/hostname, /etc/resolv.conf. */
  readonly etc: string;
  readonly folder: string;
}
