import type { OperatorVersion, Task } from '@/lib/kudo/types';
import { RenderError } from './render-error';

/** The source of a template of the version. @throws RenderError when it has none of that name */
export function templateSource(operatorVersion: OperatorVersion, name: string): string {
  const templates = operatorVersion.spec?.templates ?? {};
  const text = Object.hasOwn(templates, name) ? templates[name] : undefined;
  if (text === undefined) throw new RenderError(`the operator has no template ${name}`);
  return text;
}

/** The templates that a task renders, in their order, each once. */
export function templatesOfTask(task: Task): string[] {
  const spec = task.spec ?? {};
  if (task.kind === 'Pipe') return spec.pod === undefined ? [] : [spec.pod];
  const applies = task.kind === 'Apply' || task.kind === 'Delete' || task.kind === 'Toggle';
  return applies ? [...new Set(spec.resources ?? [])] : [];
}
