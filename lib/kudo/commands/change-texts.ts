import { createTwoFilesPatch } from 'diff';
import { arrayAt, getAt, type JsonObject, stringAt } from '@/lib/json/json';
import { resourceName } from '@/lib/kube/kinds';
import { type GroupVersionResource, type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { ownerNoun, type ToolOwner } from '@/lib/kube/ownership/tool-owner';
import { createMergePatch } from '@/lib/kube/patch/merge-patch';
import { cleanObject } from '@/lib/kudo/manifests/clean-object';
import { writeYaml } from '@/lib/yaml/yaml';
import { kubectlPatch, patchFile } from './copied-commands';

/** A change of an object that is not made here, but taken elsewhere. */
export interface ManifestChange {
  readonly type: GroupVersionResource;
  readonly before: KubeObject;
  readonly after: KubeObject;
  /** What it is for, as a title: `Scale Deployment web to 3`. */
  readonly title: string;
}

/** A change as text, in the forms in which other tools take it. */
export interface ChangeTexts {
  readonly kubectl: string;
  readonly patch: string;
  /** The changed object as a manifest, without what the cluster wrote. */
  readonly manifest: string;
  readonly fileName: string;
  /** Markdown with the difference of the manifests. */
  readonly pullRequest: string;
}

/**
 * The texts of a change. Status, and what the server writes, are no part of it.
 *
 * @param owner the tool that applies the object, and its Application, Kustomization or HelmRelease where that can be read
 */
export function changeTexts(
  change: ManifestChange,
  owner: { readonly tool: ToolOwner; readonly source: KubeObject | undefined } | undefined,
): ChangeTexts {
  const { type, before, after } = change;
  const patch = createMergePatch(editable(before), editable(after));
  const target = { resource: resourceName(type), namespace: namespaceOf(before), name: nameOf(before), patch };
  const manifests = [before, after].map((object) => manifestOf(object));
  const [old = '', changed = ''] = manifests;
  const fileName = `${before.kind.toLowerCase()}-${nameOf(before)}.yaml`;
  return {
    kubectl: kubectlPatch(target),
    patch: patchFile(target),
    manifest: changed,
    fileName,
    pullRequest: pullRequestText(change, owner, createTwoFilesPatch(`a/${fileName}`, `b/${fileName}`, old, changed)),
  };
}

function editable(object: KubeObject): JsonObject {
  const { status: _status, metadata, ...rest } = object;
  const { labels = {}, annotations = {} } = metadata;
  return { ...(rest as JsonObject), metadata: { labels, annotations } };
}

/** With the namespace, which a manifest in a repository usually says. */
function manifestOf(object: KubeObject): string {
  const { apiVersion, kind, metadata, ...rest } = cleanObject(object);
  const { name, ...others } = metadata;
  const namespace = namespaceOf(object);
  return writeYaml({
    apiVersion,
    kind,
    metadata: { name, ...(namespace === '' ? {} : { namespace }), ...others },
    ...rest,
  });
}

function pullRequestText(
  { before, title }: ManifestChange,
  owner: Parameters<typeof changeTexts>[1],
  difference: string,
): string {
  const place = namespaceOf(before) === '' ? '' : ` in namespace \`${namespaceOf(before)}\``;
  const lines = [`# ${title}`, '', `Object: ${before.kind} \`${nameOf(before)}\`${place}.`];
  if (owner !== undefined) lines.push('', `${ownerNoun(owner.tool)} applies it${originWords(owner.source)}.`);
  // The first line of the library is a rule of `=`.
  const body = difference.slice(difference.indexOf('---'));
  const fence = fenceFor(body);
  lines.push('', 'The manifest of the cluster, before and after:', '', `${fence}diff`, body.trimEnd(), fence, '');
  return lines.join('\n');
}

/** Longer than every run of backquotes in the text. */
function fenceFor(text: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  return '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
}

/** Where the manifests are: an Application says it, a Kustomization names a GitRepository and a path. */
function originWords(source: KubeObject | undefined): string {
  const origin = getAt(source, 'spec', 'source') ?? arrayAt(source, 'spec', 'sources')[0];
  const repository = stringAt(origin, 'repoURL');
  if (repository !== undefined) {
    const path = stringAt(origin, 'path') ?? stringAt(origin, 'chart');
    const revision = stringAt(origin, 'targetRevision');
    return ` from ${repository}${path === undefined ? '' : `, path \`${path}\``}${revision === undefined ? '' : `, revision \`${revision}\``}`;
  }
  const named = stringAt(source, 'spec', 'sourceRef', 'name');
  const path = stringAt(source, 'spec', 'path');
  if (named === undefined) return '';
  return ` from ${stringAt(source, 'spec', 'sourceRef', 'kind')} \`${named}\`${path === undefined ? '' : `, path \`${path}\``}`;
}
