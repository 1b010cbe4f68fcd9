import type { Script } from './scenario';

/** An Instance with a deploy plan only, of one step with these tasks; users do nothing to it. */
export function plainScript(namespace: string, ...tasks: string[]): Script {
  return {
    namespace,
    shape: 'mixed',
    plans: {
      deploy: {
        strategy: 'serial',
        phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'only', tasks }] }],
      },
    },
    childPlans: {},
    parameters: {},
    actions: [],
    selfHeals: false,
  };
}
