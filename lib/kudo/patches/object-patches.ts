import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '@/lib/json/json';
import { builtinSchema } from '@/lib/kube/builtin/builtin';
import { type KubeObject, kindOf, nameOf } from '@/lib/kube/object';
import { applyJsonPatch } from '@/lib/kube/patch/json-patch';
import { applyStrategicPatch } from '@/lib/kube/patch/strategic-merge';
import type { OperatorVersion } from '@/lib/kudo/types';
import { readYamlAsKubernetes } from '@/lib/yaml/yaml';

/**
 * A change of an object after its template was rendered (`patches` of operator.yaml). It travels as JSON in the annotation
 * `bravo.kudo.dev/patches` of the OperatorVersion, so that plans, previews and drift have the same objects.
 */
export interface TemplatePatch {
  /** Key of the template that gives the object. */
  readonly template: string;
  readonly kind: string;
  /** Name of the object, perhaps with `{{ .Name }}`; absent: every object of the kind in the template. */
  readonly name?: string;
  /** Exactly one of the two. Texts may be templates; a text that is one tag gives a number or boolean if it reads as one. */
  readonly strategic?: JsonObject;
  readonly json?: readonly JsonValue[];
}

export const PATCHES_ANNOTATION = 'bravo.kudo.dev/patches';

/** The annotation's JSON; undefined without patches. */
export function formatPatches(patches: readonly TemplatePatch[]): string | undefined {
  return patches.length === 0 ? undefined : JSON.stringify(patches);
}

/** The patches of an OperatorVersion. What does not have the shape of a patch is left out: anybody may edit the annotation. */
export function patchesOf(operatorVersion: OperatorVersion): TemplatePatch[] {
  const text = operatorVersion.metadata.annotations?.[PATCHES_ANNOTATION];
  if (text === undefined) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isTemplatePatch) : [];
  } catch {
    return [];
  }
}

function isTemplatePatch(value: unknown): value is TemplatePatch {
  if (!isJsonObject(value) || typeof value.template !== 'string' || typeof value.kind !== 'string') return false;
  return isJsonObject(value.strategic) || Array.isArray(value.json);
}

/** Renders a text of a patch with the variables of its template. */
export type RenderPatchText = (text: string) => string;

/**
 * The objects of a template with the patches that concern them. An object that no patch concerns stays as it is; a patch without an
 * object does nothing, because templates may leave objects out.
 *
 * @throws PatchError when a patch does not apply; TemplateError when a text of it cannot be rendered
 */
export function withPatches(
  objects: readonly KubeObject[],
  template: string,
  patches: readonly TemplatePatch[],
  render: RenderPatchText,
): KubeObject[] {
  const own = patches.filter((patch) => patch.template === template);
  return own.length === 0 ? [...objects] : objects.map((object) => patched(object, own, render));
}

function patched(object: KubeObject, patches: readonly TemplatePatch[], render: RenderPatchText): KubeObject {
  return patches
    .filter((patch) => isPatchFor(patch, object, render))
    .reduce<KubeObject>((result, patch) => applyTemplatePatch(result, patch, render), object);
}

/** True when the patch is for this object. */
export function isPatchFor(patch: TemplatePatch, object: KubeObject, render: RenderPatchText): boolean {
  return patch.kind === object.kind && (patch.name === undefined || render(patch.name) === nameOf(object));
}

/** One patch applied to one object. @throws PatchError, TemplateError */
export function applyTemplatePatch(object: KubeObject, patch: TemplatePatch, render: RenderPatchText): KubeObject {
  const document = object as unknown as JsonObject;
  const changed =
    patch.strategic === undefined
      ? applyJsonPatch(document, rendered([...(patch.json ?? [])], render))
      : applyStrategicPatch(document, rendered(patch.strategic, render) as JsonObject, builtinSchema(kindOf(object)));
  return changed as unknown as KubeObject;
}

function rendered(value: JsonValue, render: RenderPatchText): JsonValue {
  if (typeof value === 'string') return value.includes('{{') ? asValue(render(value), value) : value;
  if (Array.isArray(value)) return value.map((each) => rendered(each, render));
  if (!isJsonObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) setOwn(result, key, rendered(member, render));
  return result;
}

/** `"{{ .Params.REPLICAS }}"` is a number in the object, `"{{ .Params.NAME }}-x"` is a text. */
function asValue(text: string, source: string): JsonValue {
  if (!/^\{\{[^{}]*\}\}$/.test(source.trim())) return text;
  const read = readYamlAsKubernetes(text);
  const isScalar = read.ok && (typeof read.value === 'number' || typeof read.value === 'boolean');
  return isScalar ? read.value : text;
}
