import type { Cluster } from '@/server/kube/credentials';
import type { ClosableApi } from '@/server/kube/http-api';
import type { Running } from '@/test/programs/process';
import type { Report } from './report';

/** What the checks have in common. */
export interface Context {
  readonly report: Report;
  /** With the rights of the kubeconfig. */
  readonly api: ClosableApi;
  readonly cluster: Cluster;
  readonly kubeconfig: string;
  readonly context: string | undefined;
  /** Absent: controller and console run on this machine. */
  readonly image: string | undefined;
  /** Of the pod in which a terminal is opened. */
  readonly shellImage: string;
  readonly keep: boolean;
  /** The namespace of the installation, made for this run. */
  readonly home: string;
  /** The namespace of Instances and people, made for this run. */
  readonly work: string;
  /** Programs on this machine. */
  readonly started: Running[];
}

/** The words of `bravo init` that this run installs with, and verifies and removes with. */
export function initWords({ kubeconfig, context, image, home }: Context): string[] {
  const cluster = ['--kubeconfig', kubeconfig, ...(context === undefined ? [] : ['--context', context])];
  const images = image === undefined ? [] : ['--kudo-image', image];
  return ['init', '-n', home, '--console', ...images, ...cluster];
}
