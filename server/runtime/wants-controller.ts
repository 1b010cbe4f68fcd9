import type { ControllerMode } from '@/server/config/config';

/** Whether to start the controller with the console, and why, for a person to read. */
export interface ControllerWish {
  readonly run: boolean;
  readonly words: string;
}

/**
 * In the sandbox the controller runs unless it is switched off. On somebody's cluster it never runs, and never contends for the lease,
 * before a person asks for it: by the setting, or in the console.
 */
export function wantsController(mode: ControllerMode, { isSandbox }: { readonly isSandbox: boolean }): ControllerWish {
  if (mode === 'off') return { run: false, words: 'off (BRAVO_CONTROLLER=off)' };
  if (mode === 'on') return { run: true, words: 'on (BRAVO_CONTROLLER=on), while it holds the lease bravo-controller' };
  if (isSandbox) return { run: true, words: 'on' };
  return { run: false, words: 'off, until you start it in the console or with BRAVO_CONTROLLER=on' };
}
