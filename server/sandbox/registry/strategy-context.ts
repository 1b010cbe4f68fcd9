import type { StrategyContext } from '../kinds/base/strategy';
import type { WriteContext } from './context';
import type { Registry } from './registry';
import { groupResourceName } from './resource-info';

/** What a strategy may know and use during one write. */
export function strategyContextOf(registry: Registry, context: WriteContext): StrategyContext {
  return {
    nowMs: registry.clock.now(),
    subresource: context.subresource,
    warn: (text) => void context.warnings.push(text),
    get: ({ group, resource }, name) => registry.store.get(groupResourceName(group, resource), name)?.object,
    *list({ group, resource }) {
      for (const [, stored] of registry.store.collection(groupResourceName(group, resource)).entries()) {
        yield stored.object;
      }
    },
  };
}
