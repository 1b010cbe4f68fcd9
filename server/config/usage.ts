import { TerminalError } from '@/lib/errors/errors';

/**
 * Whether the controller counts usage (`BRAVO_USAGE`: on, off; on when absent).
 *
 * @throws TerminalError with one sentence
 */
export function readCountsUsage(environment: { readonly [name: string]: string | undefined }): boolean {
  const text = environment.BRAVO_USAGE || 'on';
  if (text === 'on' || text === 'off') return text === 'on';
  throw new TerminalError(`BRAVO_USAGE: "${text}" is not one of on, off.`, 'InvalidSettings');
}
