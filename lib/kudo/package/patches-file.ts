import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import type { TemplatePatch } from '../patches/object-patches';
import { defined, type Fields } from './fields';

/** Reads `patches` of operator.yaml; undefined when there are none. */
export function readPatches(fields: Fields): TemplatePatch[] | undefined {
  const patches = fields.list('patches', readPatch);
  if (patches.length === 0) return undefined;
  if (patches.length > limits.objectPatches || JSON.stringify(patches).length > limits.objectPatchesChars) {
    const message = `An operator may have ${limits.objectPatches} patches of ${limits.objectPatchesChars} characters together.`;
    fields.problem('patches', message);
  }
  return patches;
}

function readPatch(fields: Fields): TemplatePatch {
  const strategic = mapOf(fields, 'strategic');
  const json = listOf(fields, 'json');
  if ((strategic === undefined) === (json === undefined)) {
    fields.problem(
      'template',
      'A patch has either "strategic" (a part of the object) or "json" (a list of operations).',
    );
  }
  const [template, kind] = [fields.text('template') ?? '', fields.text('kind') ?? ''];
  if (template === '' || kind === '') fields.problem('template', 'A patch needs "template" and "kind".');
  return defined({ template, kind, name: fields.text('name'), strategic, json });
}

function mapOf(fields: Fields, name: string): JsonObject | undefined {
  const value = fields.any(name);
  if (value === undefined || isJsonObject(value)) return value;
  fields.problem(name, `"${name}" must be a map`);
  return undefined;
}

function listOf(fields: Fields, name: string): JsonValue[] | undefined {
  const value = fields.any(name);
  if (value === undefined || Array.isArray(value)) return value;
  fields.problem(name, `"${name}" must be a list`);
  return undefined;
}
