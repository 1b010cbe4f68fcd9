import { limits } from '@/lib/limits/limits';
import type { RenderOptions } from './contract';
import { budgetMessage } from './exec/call';
import { compileTrees } from './exec/compile';
import { type CompiledFile, Rendering } from './exec/run';
import { absentFunctions, functionTable } from './functions/table';
import { parseTrees, type TreeSet } from './parse/parser';
import { BudgetError, TemplateError } from './template-error';
import { toBytes, toLooseText } from './value/bytes';
import { rootFromJson } from './value/from-json';

export { type Reference, templateParameters, templatePipes } from './references';
export { TemplateError } from './template-error';

/** A template that has been read and compiled; it may be rendered any number of times. */
export interface Template {
  readonly name: string;
  readonly trees: TreeSet;
  readonly compiled: CompiledFile;
}

/**
 * Templates by name and text, so that the same text is parsed once (per set of functions). The oldest is dropped
 * when there are too many.
 */
export const templateCache = new Map<string, Template>();
const MAX_CACHED = 2_000;

/**
 * Reads a template as KUDO's renderer does: Go's text/template with Sprig's functions and `missingkey=error`.
 * @param name shown in errors; a template may call itself by it
 * @throws TemplateError of kind `parse`
 */
export function parseTemplate(name: string, text: string, compatibility: 'sprig3' | 'kudo019' = 'sprig3'): Template {
  const key = `${compatibility}\n${name}\n${text}`;
  const known = templateCache.get(key);
  if (known !== undefined) return known;
  const template = readTemplate(name, text, compatibility);
  if (templateCache.size >= MAX_CACHED) {
    const [oldest] = templateCache.keys();
    if (oldest !== undefined) templateCache.delete(oldest);
  }
  templateCache.set(key, template);
  return template;
}

/** {@link parseTemplate} without the cache. */
export function readTemplate(name: string, text: string, compatibility: 'sprig3' | 'kudo019'): Template {
  const functions = functionTable(compatibility);
  const [fileName, bytes] = [toBytes(name), toBytes(text)];
  if (bytes.length > limits.packageFileBytes) {
    const place = { template: name, line: 1, column: -1 };
    throw new TemplateError('parse', place, `template: ${name}:1: longer than ${limits.packageFileBytes} bytes`);
  }
  const trees = parseTrees(bytes, {
    fileName,
    trees: new Map(),
    hasFunction: (each) => Object.hasOwn(functions, each),
    whyAbsent: (each) => absentFunctions.get(each),
  });
  return { name, trees, compiled: { name: fileName, text: bytes, templates: compileTrees(trees, functions) } };
}

/**
 * Renders a template. `values` is plain data (numbers are Go's float64); it is never changed.
 * @returns the text; bytes that are not UTF-8 become U+FFFD (see {@link renderBytes})
 * @throws TemplateError of kind `exec` or `budget`
 */
export function renderTemplate(template: Template, values: unknown, options: RenderOptions): string {
  const run = execute(template, values, options);
  return run.isAscii ? run.out : toLooseText(run.out);
}

/** Like {@link renderTemplate}, but returns a byte string. */
export function renderBytes(template: Template, values: unknown, options: RenderOptions): string {
  return execute(template, values, options).out;
}

function execute(template: Template, values: unknown, options: RenderOptions): Rendering {
  const main = template.compiled.templates.get(template.compiled.name);
  if (main === undefined) {
    const place = { template: template.name, line: 1, column: 0 };
    throw new TemplateError('exec', place, `template: no template "${template.name}" associated with template "gotpl"`);
  }
  const run = new Rendering(template.compiled, main, options);
  const dot = rootFromJson(values);
  try {
    run.variables = [dot];
    main.execute(run, dot);
    return run;
  } catch (error) {
    if (error instanceof BudgetError || error instanceof RangeError) throw run.fail(budgetMessage(error), 'budget');
    throw error;
  }
}
