import { TerminalError } from '@/lib/errors/errors';

/** Event reasons of a task that cannot be rendered. */
export type RenderErrorReason =
  | 'TaskRenderingError'
  | 'TaskEnhancementError'
  | 'InvalidParams'
  | 'InvalidPlan'
  | 'ResourceUnmarshalError'
  | 'ResourceValidationError'
  | 'ObjectMissing'
  | 'ObjectNotReadable';

/** Why an execution cannot go on: a template, its result or the inputs are wrong. */
export class RenderError extends TerminalError {
  constructor(message: string, reason: RenderErrorReason = 'TaskRenderingError', options?: { cause?: unknown }) {
    super(message, reason, options);
  }
}
