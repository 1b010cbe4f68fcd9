import { TerminalError } from '@/lib/errors/errors';
import type { TemplatePlace } from './contract';

export type TemplateErrorKind = 'parse' | 'exec' | 'budget';

/**
 * A template that cannot be parsed (`parse`), fails in execution (`exec`), or exceeds its budget (`budget`).
 * The message is Go's: `template: NAME:LINE:COLUMN: executing "NAME" at <CONTEXT>: what`.
 */
export class TemplateError extends TerminalError {
  constructor(
    readonly failure: TemplateErrorKind,
    readonly place: TemplatePlace,
    /** Go's complete message (`message` is cut at 1 KiB). */
    readonly goMessage: string,
  ) {
    super(goMessage, failure === 'budget' ? 'TemplateBudgetExceeded' : 'TemplateInvalid');
  }
}

/** An error that a function of a template returns, or a panic in it: what Go prints after `error calling NAME: `. */
export class GoError extends Error {}

/** A function exceeds the budget; the evaluator adds the place. */
export class BudgetError extends Error {}
