import type { JsonObject } from '@/lib/json/json';
import type { AdmissionGate } from './admission-gate';

/** What a write needs to know of its request. */
export interface WriteContext {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  readonly subresource: string | undefined;
  /** The subresource that managed fields name, when it is another. */
  readonly managerSubresource?: string | undefined;
  /** Texts for Warning headers, in order. */
  readonly warnings: string[];
  /** Set by an apply, which has computed the managers already. */
  readonly managedFields?: readonly JsonObject[] | undefined;
  /** Throws 403 unless the user may create what an update would make. */
  readonly authorizeCreate?: (() => void) | undefined;
  /** Set when webhooks are registered: what they have to see passes it. */
  readonly gate?: AdmissionGate | undefined;
  /** Called when the write is known to be valid, before the store is asked whether it fits. */
  readonly onValid?: (() => void) | undefined;
  readonly user: { readonly name: string; readonly groups: readonly string[] };
}

/** The context of the sandbox's own parts. */
export function internalContext(subresource?: string): WriteContext {
  return {
    dryRun: false,
    fieldManager: 'kube-controller-manager',
    fieldValidation: 'Ignore',
    subresource,
    warnings: [],
    user: { name: 'system:kube-controller-manager', groups: ['system:masters'] },
  };
}
