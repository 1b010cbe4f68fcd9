import { instancePath } from '@/lib/kudo/view/instance-path';
import type { RunRow } from '@/lib/kudo/view/run-row';

/** The address of the page that compares two runs of an Instance. */
export function comparePath({ namespace, instance }: Pick<RunRow, 'namespace' | 'instance'>, from: string, to: string) {
  return instancePath(namespace, instance, `runs/compare?${new URLSearchParams({ from, to })}`);
}
