import { formatLiveValues, type ReadObject, type ResourceRule } from '@/lib/kudo/live-values/live-values';
import { compileRule, type RuleKind } from '@/lib/kudo/live-values/rule-expression';
import { namedMembers } from '@/lib/kudo/plan-metadata/precondition-expression';
import { templatesOfTask } from '@/lib/kudo/rendering/task-templates';
import type { Task } from '@/lib/kudo/types';
import { limits } from '@/lib/limits/limits';
import { parseTemplate, TemplateError } from '@/lib/template/template';
import type { ScannedTemplates } from './check-templates';
import { type Report, templatePlace } from './report';
import { scanTemplate } from './scan-template';

const KINDS: ReadonlySet<string> = new Set(['Apply', 'Delete', 'Toggle']);

/**
 * Bravo's own checks of `reads` and `rules` of tasks: names exist, expressions compile, and templates see only what their task
 * reads. Returns the names of the parameters that they use.
 */
export function checkLiveValues(report: Report, scanned: ScannedTemplates): ReadonlySet<string> {
  const { tasks, liveValues = {} } = report.pkg.operator;
  const used = new Set<string>();
  tasks.forEach((task, index) => {
    const { reads, rules } = liveValues[task.name] ?? { reads: [], rules: [] };
    const check = new TaskCheck({ report, task, index, reads, used });
    if (reads.length + rules.length > 0 && !KINDS.has(task.kind)) {
      check.problem([], `is of kind ${task.kind}; only tasks that apply or delete templates have "reads" and "rules"`);
    }
    check.count('reads', reads.length);
    check.count('rules', rules.length);
    reads.forEach((read, at) => {
      check.read(read, at);
    });
    rules.forEach((rule, at) => {
      check.rule(rule, at);
    });
    checkTemplates(report, scanned, { task, ids: check.ids });
  });
  const bytes = new TextEncoder().encode(formatLiveValues(liveValues)).length;
  if (bytes > limits.liveValuesBytes) {
    const message = `"reads" and "rules" of all tasks have ${bytes} bytes; at most ${limits.liveValuesBytes} are kept`;
    report.error(report.operatorLine('tasks'), message);
  }
  return used;
}

interface Checked {
  readonly report: Report;
  readonly task: Task;
  /** Of the task in the file. */
  readonly index: number;
  readonly reads: readonly ReadObject[];
  /** Parameters that are used: the checks add to it. */
  readonly used: Set<string>;
}

class TaskCheck {
  readonly ids: ReadonlySet<string>;
  private readonly seen = new Set<string>();
  private readonly parameters: ReadonlySet<string>;

  constructor(private readonly checked: Checked) {
    this.ids = new Set(checked.reads.map(({ id }) => id));
    this.parameters = new Set(checked.report.pkg.parameters.map(({ name }) => name));
  }

  problem(path: readonly (string | number)[], message: string): void {
    const { report, task, index } = this.checked;
    report.error(report.operatorLine('tasks', index, ...path), `task ${task.name} ${message}`);
  }

  count(key: 'reads' | 'rules', count: number): void {
    if (count <= limits.liveValuesEntries) return;
    this.problem([key], `has ${count} entries in "${key}"; at most ${limits.liveValuesEntries} are possible`);
  }

  read({ id, apiVersion, kind, name, namespace, readyWhen, trigger }: ReadObject, at: number): void {
    const path = ['reads', at];
    const problem = (message: string) => this.problem(path, `reads an object whose ${message}`);
    for (const [key, text] of Object.entries({ id, apiVersion, kind, name })) {
      if (text === '') problem(`"${key}" is missing`);
    }
    if (id !== '' && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(id)) {
      problem(`id "${id}" cannot be used in templates; an id has letters, digits and _`);
    }
    if (this.seen.has(id)) problem(`id "${id}" has a duplicate`);
    this.seen.add(id);
    this.template(path, 'name', name);
    if (namespace !== undefined) this.template(path, 'namespace', namespace);
    this.expressions([...path, 'readyWhen'], 'readyWhen', readyWhen);
    const plans = this.checked.report.pkg.operator.plans;
    if (trigger !== undefined && !Object.hasOwn(plans, trigger)) {
      this.problem([...path, 'trigger'], `reads "${id}" with the trigger "${trigger}", which is no plan`);
    }
  }

  rule({ resource, includeWhen, readyWhen }: ResourceRule, at: number): void {
    const path = ['rules', at];
    if (!templatesOfTask(this.checked.task).includes(resource)) {
      this.problem(path, `has a rule for "${resource}", which is not one of its resources`);
    }
    if (includeWhen === undefined && readyWhen === undefined) {
      this.problem(path, `has a rule for "${resource}" without "includeWhen" and "readyWhen"`);
    }
    this.expressions([...path, 'includeWhen'], 'includeWhen', includeWhen);
    this.expressions([...path, 'readyWhen'], 'readyWhen', readyWhen);
  }

  private template(path: readonly (string | number)[], key: string, text: string): void {
    try {
      for (const [name] of scanTemplate(parseTemplate(key, text)).parameters) this.parameter([...path, key], name);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      this.problem([...path, key], `reads an object whose "${key}" is no template: ${error.goMessage}`);
    }
  }

  private expressions(path: readonly (string | number)[], kind: RuleKind, expressions: readonly string[] = []): void {
    for (const [at, expression] of expressions.entries()) {
      const { problem } = compileRule(expression, kind);
      const place = [...path, at];
      if (problem !== undefined) {
        this.problem(place, `has an expression in "${kind}" that is none: ${problem}`);
        continue;
      }
      for (const name of namedMembers(expression, 'params')) this.parameter(place, name);
      for (const name of namedMembers(expression, 'objects')) {
        if (!this.ids.has(name)) this.problem(place, `uses objects.${name}, which is not one of its "reads"`);
      }
    }
  }

  private parameter(path: readonly (string | number)[], name: string): void {
    this.checked.used.add(name);
    if (!this.parameters.has(name)) this.problem(path, `uses the parameter "${name}", which is not defined`);
  }
}

/** A template sees the objects of the task that renders it, and no others. */
function checkTemplates(
  report: Report,
  scanned: ScannedTemplates,
  { task, ids }: { readonly task: Task; readonly ids: ReadonlySet<string> },
): void {
  for (const key of templatesOfTask(task)) {
    for (const [id, line] of scanned.get(key)?.use.objects ?? []) {
      if (ids.has(id)) continue;
      const message = `template ${key} uses .Objects.${id}, which task ${task.name} does not read`;
      report.error(templatePlace(key, line), message);
    }
  }
}
