import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { OperatorVersion } from '@/lib/kudo/types';
import type { ManagingInstance } from './managing-instance';

/** A line of a template that uses a parameter. */
export interface ParameterUse {
  readonly parameter: string;
  /** The template's file name. */
  readonly template: string;
  /** From 1. */
  readonly line: number;
  /** The YAML key that the line gives a value, e.g. `replicas`; for a line of a block of text the key of the block. */
  readonly key: string | undefined;
}

/**
 * The parameters that the templates of an object use, in the order of the templates' lines. The templates are those of the step that
 * applied the object; of each only the documents that have its kind and can have its name are read, as text: what a template leaves to
 * another one, or to a function over all parameters, is not found.
 */
export function feedingParameters(
  version: Pick<OperatorVersion, 'spec'>,
  object: KubeObject,
  manager: ManagingInstance,
): ParameterUse[] {
  return templatesOf(version, manager).flatMap((template) => {
    const lines = (version.spec?.templates?.[template] ?? '').split('\n');
    return documentsOf(lines)
      .filter((document) => describes(document, object))
      .flatMap(({ lines: own, first }) => {
        const keys = keysOf(own);
        return own.flatMap((line, at) => usesOf(line, { template, line: first + at, key: keys[at] }));
      });
  });
}

function templatesOf({ spec }: Pick<OperatorVersion, 'spec'>, { plan, phase, step }: ManagingInstance): string[] {
  const phases = spec?.plans?.[plan]?.phases ?? [];
  const steps = phases.find(({ name }) => name === phase)?.steps ?? [];
  const tasks = steps.find(({ name }) => name === step)?.tasks ?? [];
  const resources = (spec?.tasks ?? [])
    .filter(({ name }) => tasks.includes(name))
    .flatMap((task) => task.spec?.resources ?? []);
  return [...new Set(resources)];
}

interface TemplateDocument {
  readonly lines: readonly string[];
  /** The number of the first line in its file, from 1. */
  readonly first: number;
}

function documentsOf(lines: readonly string[]): TemplateDocument[] {
  const starts = [0, ...lines.flatMap((line, at) => (line.startsWith('---') ? [at + 1] : []))];
  return starts.map((start, at) => ({ lines: lines.slice(start, starts[at + 1]), first: start + 1 }));
}

function describes({ lines }: TemplateDocument, object: KubeObject): boolean {
  const kind = lines.map((line) => /^kind:\s*["']?([A-Za-z0-9]+)["']?\s*$/.exec(line)?.[1]).find(Boolean);
  if (kind !== object.kind) return false;
  const metadata = lines.findIndex((line) => /^metadata:\s*$/.test(line));
  const name = lines
    .slice(metadata + 1)
    .map((line) => /^ +name:\s*(.+?)\s*$/.exec(line)?.[1])
    .find(Boolean);
  return name === undefined || canBe(name, nameOf(object));
}

/** Whether a templated text can give a name: what stands between its actions appears in the name in the same order. */
function canBe(templated: string, name: string): boolean {
  const parts = templated.replace(/^["']|["']$/g, '').split(/\{\{[^}]*\}\}/);
  const [head = ''] = parts;
  const tail = parts.at(-1) ?? '';
  if (parts.length === 1) return name === head;
  if (!name.startsWith(head) || !name.endsWith(tail)) return false;
  let from = head.length;
  for (const part of parts.slice(1)) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

const KEY = /^(\s*)(?:- +)?["']?([A-Za-z0-9_./-]+)["']?\s*:\s*(.*)$/;

/** The key of each line; all lines of a block of text (`key: |`) have the key of the block. */
function keysOf(lines: readonly string[]): (string | undefined)[] {
  let block: { indent: number; key: string } | undefined;
  return lines.map((line) => {
    const indent = line.length - line.trimStart().length;
    if (block !== undefined && (line.trim() === '' || line.trimStart().startsWith('{{') || indent > block.indent))
      return block.key;
    block = undefined;
    const [, , key, value = ''] = KEY.exec(line) ?? [];
    if (key !== undefined && /^[|>][-+0-9]*\s*$/.test(value)) block = { indent, key };
    return key;
  });
}

function usesOf(line: string, place: Omit<ParameterUse, 'parameter'>): ParameterUse[] {
  const names = [...line.matchAll(/\.Params\.([A-Za-z0-9_]+)/g)].map((match) => match[1] ?? '');
  return [...new Set(names)].map((parameter) => ({ parameter, ...place }));
}
