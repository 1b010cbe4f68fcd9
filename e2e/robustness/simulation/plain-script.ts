import type { Script } from './scenario';

/** An Instance whose deploy plan, its only one, has the tasks in one step; nobody does anything to it. */
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
