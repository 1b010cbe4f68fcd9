import { isJsonObject, type JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { readYamlAsKubernetes, readYamlLeniently } from '@/lib/yaml/yaml';
import { RenderError } from './render-error';

/**
 * The documents of a rendered template: split at every line that begins with `---`; pieces of white space or comments
 * only are left out. A `---` inside an indented block scalar does not split.
 */
export function splitDocuments(text: string): string[] {
  return text.split('\n---').filter((piece) => !isBlank(piece));
}

function isBlank(piece: string): boolean {
  return piece.split('\n').every((line) => {
    const trimmed = line.trim();
    return trimmed === '' || trimmed.startsWith('#') || trimmed === '---';
  });
}

/**
 * The objects of a rendered template, in order. Labels and annotations are kept as they are written.
 * @throws RenderError `TaskRenderingError` for what is no YAML or has no kind
 */
export function decodeObjects(template: string, text: string): KubeObject[] {
  return splitDocuments(text).flatMap((piece) => decodeDocument(template, piece));
}

/** One piece as it is read for a plan, and the keys in it that come twice: verification has to see what a plan will see. */
export function readPiece(piece: string): ReturnType<typeof readYamlLeniently> {
  return readYamlLeniently(documentOf(piece));
}

function documentOf(piece: string): string {
  // YAML takes a carriage return at the end of a line for a part of the line break.
  const lines = piece.replace(/\r(?=\n|$)/g, '');
  // What stands on the line of the separator (a comment, a space) belongs to no document.
  return lines.startsWith('---') ? lines : lines.replace(/^[ \t]*(#[^\n]*)?\n/, '\n');
}

function decodeDocument(template: string, piece: string): KubeObject[] {
  const result = readYamlAsKubernetes(documentOf(piece));
  if (!result.ok) {
    throw new RenderError(`template ${template} gives no valid YAML: ${result.problems[0]?.message ?? ''}`);
  }
  const { value } = result;
  if (value === null) return [];
  if (!isJsonObject(value)) throw new RenderError(`template ${template} gives ${describe(value)} instead of an object`);
  const { kind, apiVersion, metadata } = value;
  if (typeof kind !== 'string' || kind === '')
    throw new RenderError(`template ${template} gives an object without kind`);
  if (typeof apiVersion !== 'string' || apiVersion === '') {
    throw new RenderError(`template ${template} gives a ${kind} without apiVersion`);
  }
  if (isList(value)) throw new RenderError(`template ${template} ${LIST_ADVICE}`, 'TaskEnhancementError');
  return [{ ...value, apiVersion, kind, metadata: isJsonObject(metadata) ? { ...metadata } : {} } as KubeObject];
}

export const LIST_ADVICE = 'gives a List, which no server keeps; write its items as documents of their own';

export function isList({ kind, apiVersion }: JsonObject): boolean {
  return kind === 'List' && apiVersion === 'v1';
}

function describe(value: unknown): string {
  return Array.isArray(value) ? 'a list' : `the text ${JSON.stringify(value).slice(0, 40)}`;
}
