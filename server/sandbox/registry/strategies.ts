import type { GroupVersionKind, KubeObject } from '@/lib/kube/object';
import type { KindStrategy } from '../kinds/strategy';
import { plainStrategy } from './plain-strategy';

/** The strategy of a built-in kind. */
export function builtinStrategyOf(_gvk: GroupVersionKind): KindStrategy {
  return plainStrategy;
}

/** The strategy of one version of a CustomResourceDefinition. */
export function customStrategyOf(_crd: KubeObject, _version: string): KindStrategy {
  return plainStrategy;
}
