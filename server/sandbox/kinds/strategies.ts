import type { GroupVersionKind } from '@/lib/kube/object';
import { admissionRules } from './admission/rules';
import { apiServiceRules } from './aggregation/rules';
import type { KindRules } from './base/kind-rules';
import type { KindStrategy } from './base/strategy';
import { makeBuiltinStrategy } from './builtin-strategy';
import { coreRules } from './core/rules';
import { crdRules } from './crd/rules';
import { networkRules } from './network/rules';
import { podRules, podTemplateRules } from './pods/rules';
import { policyRules } from './policy/rules';
import { rbacRules } from './rbac/rules';
import { storageRules } from './storage/rules';
import { workloadRules } from './workloads/rules';

/** By `group/Kind`; the core group is empty. */
const rulesByKind: { readonly [kind: string]: KindRules } = {
  '/Pod': podRules,
  '/PodTemplate': podTemplateRules,
  ...workloadRules,
  ...coreRules,
  ...storageRules,
  ...networkRules,
  ...rbacRules,
  ...admissionRules,
  ...apiServiceRules,
  ...policyRules,
  ...crdRules,
};

const strategies = new Map<string, KindStrategy>();

/** The strategy of a built-in kind; kinds without rules of their own live by their schema alone. */
export function builtinStrategy(gvk: GroupVersionKind): KindStrategy {
  const key = `${gvk.group}/${gvk.version}/${gvk.kind}`;
  let strategy = strategies.get(key);
  if (strategy === undefined) {
    strategy = makeBuiltinStrategy(gvk, rulesByKind[`${gvk.group}/${gvk.kind}`] ?? {});
    strategies.set(key, strategy);
  }
  return strategy;
}

export { customStrategy } from './custom/custom-strategy';
