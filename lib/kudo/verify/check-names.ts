import { operatorVersionName } from '../names';
import { parseVersion } from '../versions';
import type { Report } from './report';

/** Names of parameters are unique, whatever their case, and contain neither `;` nor `,`. */
export function checkParameterNames(report: Report): void {
  const seen = new Set<string>();
  for (const parameter of report.pkg.parameters) {
    const key = parameter.name.toLowerCase();
    if (seen.has(key)) report.error(report.parameterLine(parameter), `parameter "${parameter.name}" has a duplicate`);
    seen.add(key);
  }
  for (const parameter of report.pkg.parameters) {
    for (const character of parameter.name) {
      if (character !== ';' && character !== ',') continue;
      const message = `parameter "${parameter.name}" contains invalid character '${character}'`;
      report.error(report.parameterLine(parameter), message);
    }
  }
}

const VERSIONS = [
  { name: 'operatorVersion', isRequired: true },
  { name: 'appVersion', isRequired: false },
  { name: 'kubernetesVersion', isRequired: true },
  { name: 'kudoVersion', isRequired: false },
] as const;

/** Versions are semver; two of them are required. */
export function checkVersions(report: Report): void {
  for (const { name, isRequired } of VERSIONS) {
    const text = report.pkg.operator[name] ?? '';
    const place = report.operatorLine(name);
    if (text.trim() === '') {
      const about = { rule: 'missing-version', subject: name };
      if (isRequired) report.error(place, `"${name}" is required and must be semver`, about);
    } else if (parseVersion(text) === undefined) {
      report.error(place, `unable to parse "${name}": Invalid Semantic Version`);
    }
  }
}

const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** True for a name that the API server takes for an Operator. */
export function isObjectName(text: string): boolean {
  return text.length <= 253 && DNS_SUBDOMAIN.test(text);
}

/** Ours: the names of the objects that an install creates must be names that the API server takes. */
export function checkObjectNames(report: Report): void {
  const { name, operatorVersion, appVersion } = report.pkg.operator;
  if (!isObjectName(name)) {
    report.error(report.operatorLine('name'), `operator name "${name}" is not a valid name of a Kubernetes object`);
    return;
  }
  const full = operatorVersionName(name, operatorVersion, appVersion);
  if (operatorVersion !== '' && !isObjectName(full)) {
    const message = `"${full}", made of name and versions, is not a valid name of a Kubernetes object`;
    report.error(report.operatorLine('operatorVersion'), message);
  }
}
