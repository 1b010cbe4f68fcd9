import { request } from '@/components/live/request';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { kubePath } from './resource-path';

/** Which object, among all. `namespace` is empty for cluster scope. */
export interface ObjectAddress {
  readonly type: GroupVersionResource;
  readonly namespace: string;
  readonly name: string;
}

/** Where the console's proxy keeps an object. */
export function objectPath({ type, namespace, name }: ObjectAddress): string {
  return kubePath({ ...type, namespace: namespace || undefined, name });
}

/** Reads the object as it is stored, secrets included. @throws RequestError */
export function readStoredObject(address: ObjectAddress): Promise<KubeObject> {
  return request<KubeObject>(objectPath(address));
}
