import { limits } from '@/lib/limits/limits';
import type { RenderBudget } from '../contract';
import { BudgetError } from '../template-error';

/** Counts the resources of one render and throws {@link BudgetError} as soon as they exceed the limits. */
export class TemplateBudget {
  steps = 0;
  depth = 0;
  private allocated = 0;
  private readonly limit: RenderBudget;

  constructor(wanted: Partial<RenderBudget> = {}) {
    this.limit = {
      steps: wanted.steps ?? limits.templateSteps,
      depth: wanted.depth ?? limits.templateDepth,
      outputBytes: wanted.outputBytes ?? limits.templateDocumentBytes,
    };
  }

  /** One unit of work: a command, an iteration, a member of a value that is printed. */
  step(count = 1): void {
    this.steps += count;
    if (this.steps > this.limit.steps) throw new BudgetError(`more than ${this.limit.steps} steps`);
  }

  /** Must be called before `bytes` bytes of text or lists are allocated. */
  allocate(bytes: number): void {
    this.allocated += bytes;
    if (!(this.allocated <= limits.templateAllocationBytes)) {
      throw new BudgetError(`more than ${limits.templateAllocationBytes} bytes of values`);
    }
  }

  output(bytes: number): void {
    if (bytes > this.limit.outputBytes) throw new BudgetError(`more than ${this.limit.outputBytes} bytes of output`);
  }

  enterTemplate(): void {
    if (++this.depth > this.limit.depth) {
      throw new BudgetError(`exceeded maximum template depth (${this.limit.depth})`);
    }
  }

  leaveTemplate(): void {
    this.depth--;
  }

  /** Nesting of a value that is printed, compared, copied or encoded. */
  nest(level: number): void {
    this.step();
    if (level > limits.templateValueDepth) {
      throw new BudgetError(`a value nested deeper than ${limits.templateValueDepth} levels`);
    }
  }
}
