import { isJsonObject } from '@/lib/json/json';
import { readYaml } from '@/lib/yaml/yaml';
import { splitDocuments } from '../rendering/decode';
import { type Report, templatePlace } from './report';

/** Only the namespace manifest creates a Namespace, and it contains exactly one. */
export function checkNamespaces(report: Report): void {
  const { operator, templates } = report.pkg;
  for (const [key, text] of templates) {
    if (key === operator.namespaceManifest) continue;
    const lines = text.split('\n');
    const index = lines.findIndex((line) => /^\s*kind:\s*["']?Namespace["']?\s*(#.*)?$/.test(line));
    if (index < 0) continue;
    const message = `template "${key}" contains 'kind: Namespace' not allowed unless specified as 'NamespaceManifest'`;
    report.error(templatePlace(key, index + 1), message);
  }
  if (operator.namespaceManifest !== undefined) checkManifest(report, operator.namespaceManifest);
}

function checkManifest(report: Report, key: string): void {
  const text = report.pkg.templates.get(key);
  const place = report.operatorLine('namespaceManifest');
  if (text === undefined) {
    report.error(place, `NamespaceManifest "${key}" not found in /templates folder`);
    return;
  }
  const documents = splitDocuments(text);
  const [first] = documents;
  if (first === undefined) report.error(place, `NamespaceManifest "${key}" found but does not contain a manifest`);
  else if (documents.length > 1) {
    report.error(
      place,
      `NamespaceManifest "${key}" found but contains ${documents.length} manifests which is greater than 1`,
    );
  } else {
    const read = readYaml(first);
    if (!read.ok) report.error(place, `Unable to marshal NamespaceManifest "${key}" `);
    else if (!isJsonObject(read.value) || read.value.kind !== 'Namespace') {
      report.error(place, `NamespaceManifest "${key}" found but manifest is not kind: Namespace`);
    }
  }
}
