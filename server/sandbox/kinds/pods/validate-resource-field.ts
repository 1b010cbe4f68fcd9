import type { JsonObject } from '@/lib/json/json';
import { notSupported, required } from '@/lib/schema/field-error';
import { textOf } from '../access';
import type { Faults } from '../kind-rules';

const RESOURCES = ['limits', 'requests'].flatMap((kind) =>
  ['cpu', 'ephemeral-storage', 'memory'].map((name) => `${kind}.${name}`),
);

/** An amount of a container that a variable or a file tells (Kubernetes validateContainerResourceFieldSelector). */
export function validateResourceField(reference: JsonObject, path: string, faults: Faults): void {
  const resource = textOf(reference, 'resource');
  if (resource === '') faults.push(required(`${path}.resource`));
  else if (!RESOURCES.includes(resource) && !/^(limits|requests)\.hugepages-/.test(resource)) {
    faults.push(notSupported(`${path}.resource`, resource, RESOURCES));
  }
}
