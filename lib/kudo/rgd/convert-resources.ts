import type { JsonObject } from '@/lib/json/json';
import { stringAt } from '@/lib/json/json';
import type { ReadObject, ResourceRule, TaskLiveValues } from '@/lib/kudo/live-values/live-values';
import type { TemplateSlots } from '@/lib/kudo/manifests/slots';
import type { Rgd, RgdResource } from './read-rgd';
import { type ConvertedTemplate, convertName, convertRgdTemplate } from './resource-template';
import { rewriteCel } from './rewrite-cel';
import type { RgdNames } from './rgd-names';
import { splitExpressions } from './split-expressions';

/** A resource as a task of the package. */
export interface ConvertedResource {
  readonly resource: RgdResource;
  /** `ID.yaml`. */
  readonly file: string;
  readonly value: ConvertedTemplate['value'];
  readonly live: TaskLiveValues;
  /** Ids of the templates that have to be ready before. */
  readonly after: ReadonlySet<string>;
}

/** Says what has no counterpart: the path is below the resource. */
export type Complain = (resource: RgdResource, path: readonly (string | number)[], message: string) => void;

export interface ConversionContext {
  readonly rgd: Rgd;
  readonly names: RgdNames;
  readonly slots: TemplateSlots;
  readonly complain: Complain;
}

/** Every resource with a template, in the order of the RGD. */
export function convertResources(context: ConversionContext): ConvertedResource[] {
  const drafts = context.rgd.resources.flatMap((resource) => {
    const { template } = resource;
    return template === undefined ? [] : [draftOf(resource, template, context)];
  });
  return drafts.map((draft) => withInherited(draft, drafts));
}

interface Draft extends Omit<ConvertedResource, 'live'> {
  readonly reads: readonly ReadObject[];
  readonly includeWhen: readonly string[];
  readonly readyWhen: readonly string[];
}

function draftOf(resource: RgdResource, template: JsonObject, context: ConversionContext): Draft {
  const { names, slots, complain } = context;
  for (const key of resource.strange) complain(resource, [key], `"${key}" has no counterpart and was left out`);
  const { value, uses, problems } = convertRgdTemplate(template, names, slots);
  for (const { path, message } of problems) complain(resource, ['template', ...path], message);
  const includeWhen = rulesOf(resource, 'includeWhen', context);
  const readyWhen = rulesOf(resource, 'readyWhen', context);
  const used = new Set([...uses.map(([id = '']) => id), ...includeWhen.ids, ...readyWhen.ids]);
  used.delete(resource.id);
  return {
    resource,
    file: `${resource.id}.yaml`,
    value,
    reads: [...used].flatMap((id) => readOf(id, uses, context)),
    includeWhen: includeWhen.rules,
    readyWhen: readyWhen.rules,
    after: new Set([...used].filter((id) => context.rgd.resources.some((each) => each.id === id && each.template))),
  };
}

function rulesOf(
  resource: RgdResource,
  key: 'includeWhen' | 'readyWhen',
  { names, complain }: ConversionContext,
): { readonly rules: readonly string[]; readonly ids: ReadonlySet<string> } {
  const ids = new Set<string>();
  const rules = resource[key].flatMap((text, index) => {
    const [part, ...more] = splitExpressions(text) ?? [];
    const cel = part !== undefined && 'cel' in part && more.length === 0 ? part.cel : undefined;
    const rewritten = rewriteCel(cel ?? text, names, key === 'readyWhen' ? { self: resource.id } : {});
    if ('problem' in rewritten) {
      complain(resource, [key, index], `${text}: ${rewritten.problem}`);
      return [];
    }
    for (const id of rewritten.ids) ids.add(id);
    return [rewritten.cel];
  });
  return { rules, ids };
}

/** How a task reads another resource; the fields that its template uses have to be there before. */
function readOf(id: string, uses: readonly (readonly string[])[], context: ConversionContext): ReadObject[] {
  const read = namedRead(id, context);
  if (read === undefined) return [];
  const resource = context.rgd.resources.find((each) => each.id === id);
  const isAsked = ([first, second]: readonly string[]) => first === id && second !== undefined && second !== 'metadata';
  const fields = uses.filter(isAsked).map((path) => path.slice(1));
  const present = [...new Set(fields.map((path) => `has(self.${path.join('.')})`))].filter(isPlain);
  const own = resource?.external === undefined ? [] : rulesOf(resource, 'readyWhen', context).rules;
  const readyWhen = [...present, ...own];
  return [readyWhen.length === 0 ? read : { ...read, readyWhen }];
}

/** A resource as an object that is read; undefined, with a complaint, for one whose name has no counterpart. */
export function namedRead(id: string, { rgd, names, complain }: ConversionContext): ReadObject | undefined {
  const resource = rgd.resources.find((each) => each.id === id);
  const source = resource?.external ?? resource?.template;
  if (resource === undefined || source === undefined) return undefined;
  const isExternal = resource.external !== undefined;
  const name = convertName(stringAt(source, 'metadata', 'name') ?? '', names);
  const written = isExternal ? stringAt(source, 'metadata', 'namespace') : undefined;
  const namespace = written === undefined ? undefined : convertName(written, names);
  if (name === undefined || name === '') {
    const path = [isExternal ? 'externalRef' : 'template', 'metadata', 'name'];
    complain(resource, path, `other resources read "${id}", and its name has no counterpart`);
    return undefined;
  }
  return {
    id,
    apiVersion: stringAt(source, 'apiVersion') ?? 'v1',
    kind: stringAt(source, 'kind') ?? '',
    name,
    ...(namespace === undefined ? {} : { namespace }),
  };
}

/** A name with other characters is no field of CEL. */
function isPlain(rule: string): boolean {
  return /^has\([A-Za-z0-9_.]+\)$/.test(rule);
}

/** What depends on a resource that is left out is left out, too, as in kro. */
function withInherited(draft: Draft, all: readonly Draft[]): ConvertedResource {
  const conditions = new Set<string>();
  const seen = new Set<string>();
  const collect = ({ resource, includeWhen, after }: Draft): void => {
    if (seen.has(resource.id)) return;
    seen.add(resource.id);
    for (const condition of includeWhen) conditions.add(condition);
    for (const each of all) if (after.has(each.resource.id)) collect(each);
  };
  collect(draft);
  const { reads, readyWhen, file, resource, value, after } = draft;
  const rule: ResourceRule = {
    resource: file,
    ...(conditions.size === 0 ? {} : { includeWhen: [...conditions] }),
    ...(readyWhen.length === 0 ? {} : { readyWhen }),
  };
  const rules = conditions.size + readyWhen.length === 0 ? [] : [rule];
  return { resource, file, value, after, live: { reads, rules } };
}
