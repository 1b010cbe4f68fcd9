import type { JsonObject, JsonValue } from '@/lib/json/json';
import { nameOf } from '@/lib/kube/object';
import { findParameters } from '../manifests/find-parameters';
import { shortName, withInstanceNames } from '../manifests/names';
import { type ParameterEntry, ParameterList } from '../manifests/parameter-list';
import { readManifests } from '../manifests/read-manifests';
import { TemplateSlots } from '../manifests/slots';
import { RELEASE } from './evaluate-chart';

/** A file of a chart that could not be converted, as it is with the default values, with the parameters that manifests get. */
export function renderedTemplate(
  path: string,
  rendered: string,
  note: (message: string, file: string, line: number) => void,
): { readonly text: string; readonly parameters: readonly ParameterEntry[] } {
  const read = readManifests(new Map([[path, rendered]]));
  if (!read.ok) return { text: '# This file gives no objects with the default values.\n', parameters: [] };
  const slots = new TemplateSlots([rendered]);
  const parameters = new ParameterList();
  const own = {
    prefix: RELEASE.name,
    names: new Set(read.objects.map(({ object }) => nameOf(object)).filter((name) => name.startsWith(RELEASE.name))),
    namespaces: new Set([RELEASE.namespace]),
  };
  const texts = read.objects.map(({ object }) => {
    findParameters(object, shortName(nameOf(object), RELEASE.name), {
      parameters,
      slots,
      images: new Map<string, JsonValue>(),
      note: (_level, message) => note(message, path, 0),
    });
    const written = slots.write(withInstanceNames(object, own, slots) as unknown as JsonObject);
    return written.replaceAll(RELEASE.name, '{{ .Name }}').replaceAll(RELEASE.namespace, '{{ .Namespace }}');
  });
  return { text: texts.join('---\n'), parameters: parameters.all().map(withoutRelease) };
}

function withoutRelease({ description, ...entry }: ParameterEntry): ParameterEntry {
  return description === undefined
    ? entry
    : { ...entry, description: description.replaceAll(RELEASE.name, 'INSTANCE') };
}
