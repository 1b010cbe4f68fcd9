import { TerminalError } from '@/lib/errors/errors';
import type { TemplatePlace } from './contract';

export type TemplateErrorKind = 'parse' | 'exec' | 'budget';

/**
 * A template that cannot be read (`parse`), cannot be carried out (`exec`), or wants more than it may (`budget`).
 * The message is Go's: `template: NAME:LINE:COLUMN: executing "NAME" at <CONTEXT>: what`.
 */
export class TemplateError extends TerminalError {
  constructor(
    readonly failure: TemplateErrorKind,
    readonly place: TemplatePlace,
    /** Go's message, whole (`message` is cut at 1 KiB). */
    readonly goMessage: string,
  ) {
    super(goMessage, failure === 'budget' ? 'TemplateBudgetExceeded' : 'TemplateInvalid');
  }
}

/** An error that a function of a template returns, or a panic in it: what Go prints after `error calling NAME: `. */
export class GoError extends Error {}

/** A function wants more than the budget allows; the evaluator adds the place. */
export class BudgetError extends Error {}
