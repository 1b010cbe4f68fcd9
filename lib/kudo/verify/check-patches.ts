import { messageOf, TerminalError } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { parseTemplate, TemplateError } from '@/lib/template/template';
import { applyTemplatePatch, isPatchFor, type RenderPatchText, type TemplatePatch } from '../patches/object-patches';
import { decodeObjects } from '../rendering/decode';
import { RenderError } from '../rendering/render-error';
import { renderForVerification, type VerificationData } from './check-rendering';
import type { ScannedTemplates } from './check-templates';
import type { Report } from './report';

/** A patch has a template and an object in it, and applies to the object as it is with the default values. */
export function checkPatches(report: Report, scanned: ScannedTemplates, data: VerificationData | undefined): void {
  const { patches = [] } = report.pkg.operator;
  patches.forEach((patch, index) => {
    const problem = data === undefined ? undefined : patchProblem(report, scanned, patch, data);
    if (problem !== undefined) report.error(report.operatorLine('patches', index), problem);
  });
}

function patchProblem(
  { pkg }: Report,
  scanned: ScannedTemplates,
  patch: TemplatePatch,
  data: VerificationData,
): string | undefined {
  const { template, kind, name } = patch;
  const source = pkg.templates.get(template);
  if (source === undefined) return `patch: there is no template "${template}"`;
  const parsed = scanned.get(template)?.template;
  if (parsed === undefined) return undefined;
  const render: RenderPatchText = (text) => renderForVerification(parseTemplate(`patch of ${template}`, text), data);
  try {
    let objects = decodeObjects(template, renderForVerification(parsed, data));
    // What earlier patches do comes first, as in a plan.
    const earlier = (pkg.operator.patches ?? []).slice(0, (pkg.operator.patches ?? []).indexOf(patch));
    for (const each of earlier.filter((other) => other.template === template)) objects = applied(objects, each, render);
    const targets = objects.filter((object) => isPatchFor(patch, object, render));
    const what = name === undefined ? kind : `${kind} ${name}`;
    // A template may leave its object out with the default values.
    const mayExist = objects.length === 0 && source.includes(kind);
    if (targets.length === 0) return mayExist ? undefined : `patch: the template "${template}" gives no ${what}`;
    applied(targets, patch, render);
    return undefined;
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    if (error instanceof TemplateError) return `patch of template "${template}": ${error.goMessage}`;
    if (error instanceof TerminalError) return `patch of template "${template}" does not apply: ${messageOf(error)}`;
    throw error;
  }
}

function applied(objects: readonly KubeObject[], patch: TemplatePatch, render: RenderPatchText): KubeObject[] {
  return objects.map((object) =>
    isPatchFor(patch, object, render) ? applyTemplatePatch(object, patch, render) : object,
  );
}

/** Names of parameters that patches use. */
export function parametersOfPatches({ pkg }: Report): Set<string> {
  const text = JSON.stringify(pkg.operator.patches ?? []);
  return new Set([...text.matchAll(/\.Params\.(\w+)/g)].map(([, name = '']) => name));
}
