import { isJsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';
import { typeProblem } from '@/lib/kudo/parameters/parameter-problems';
import { PARAMETER_PICKERS, pickerOf } from '@/lib/kudo/parameters/parameter-schema';
import { isSecretParameter } from '@/lib/kudo/parameters/parameters';
import { INSTANCE_TYPE } from '@/lib/kudo/references/reference-target';
import { defaultText, goText } from '../package/default-text';
import type { PackageParameter } from '../package/types';
import type { Report } from './report';

/** An immutable parameter has a default or is required: it cannot get a value later. */
export function checkImmutable(report: Report): void {
  for (const parameter of report.pkg.parameters) {
    if (!parameter.immutable || parameter.required || parameter.default !== undefined) continue;
    const message = `parameter "${parameter.name}" is immutable but is not marked as required or has a default value`;
    report.error(report.parameterLine(parameter), message);
  }
}

/** An enum has members, and they match the type. */
export function checkEnums(report: Report): void {
  for (const parameter of report.pkg.parameters) {
    if (parameter.enum === undefined) continue;
    const place = report.parameterLine(parameter);
    if (parameter.enum.length === 0) {
      report.error(place, `parameter "${parameter.name}" is an enum but has no allowed values`);
    }
    for (const member of parameter.enum) {
      const problem = nativeProblem(parameter.type, member);
      if (problem !== undefined)
        report.error(place, `parameter "${parameter.name}" has an invalid enum value: ${problem}`);
    }
  }
}

/** A default matches the type and the enum. */
export function checkDefaults(report: Report): void {
  for (const parameter of report.pkg.parameters) {
    if (parameter.default === undefined) continue;
    const place = report.parameterLine(parameter);
    const problem = nativeProblem(parameter.type, parameter.default) ?? outsideEnum(parameter);
    if (problem !== undefined) {
      report.error(place, `parameter "${parameter.name}" has an invalid default value: ${problem}`);
    }
    const shown = defaultText(parameter.default, parameter.type);
    if (typeof parameter.default === 'number' && shown.includes('e')) {
      report.warn(
        place,
        `parameter "${parameter.name}" has a number as default that templates see as ${shown}; put it in quotes`,
      );
    }
  }
}

function outsideEnum({ default: value, enum: members }: PackageParameter): string | undefined {
  if (members === undefined || members.some((member) => jsonEqual(member, value))) return undefined;
  return `value is "${goText(value ?? null)}", but only allowed values are [${members.map(goText).join(' ')}]`;
}

const KNOWN_TYPES = new Set(['', 'string', 'integer', 'number', 'boolean', 'array', 'map', INSTANCE_TYPE]);

/** A picker is known, and of a parameter whose value is a visible text. */
export function checkPickers(report: Report): void {
  for (const parameter of report.pkg.parameters) {
    const { name, picker, type = '', enum: members, secret } = parameter;
    if (picker === undefined) continue;
    const place = report.parameterLine(parameter);
    if (pickerOf(picker) === undefined) {
      const known = PARAMETER_PICKERS.join(', ');
      report.warn(
        place,
        `parameter "${name}" has the unknown picker "${picker}" and is shown as text; known are ${known}`,
      );
    } else if ((type !== '' && type !== 'string') || members !== undefined) {
      report.error(place, `parameter "${name}" has a picker, so it must be of the type string, without an enum`);
    } else if (secret === true || isSecretParameter(name)) {
      report.error(place, `parameter "${name}" has a picker, but it is secret, so that its value is never shown`);
    }
  }
}

/** KUDO's check of group names, and Bravo's checks of advanced parameters and unknown types. */
export function checkTraits(report: Report): void {
  for (const parameter of report.pkg.parameters) {
    const place = report.parameterLine(parameter);
    if (parameter.group?.includes('/') === true) {
      report.error(place, `parameter "${parameter.name}" has a group with invalid character '/'`);
    }
    if (parameter.advanced === true && parameter.required && parameter.default === undefined) {
      const message = `parameter "${parameter.name}" is marked as advanced, but also as required and has no default. An advanced parameter must either be optional or have a default value`;
      report.error(place, message);
    }
    if (!KNOWN_TYPES.has(parameter.type ?? '')) {
      report.warn(place, `parameter "${parameter.name}" has the unknown type "${parameter.type}" and is not checked`);
    }
  }
}

/** Names of groups are unique and contain no slash, and the group of a parameter exists. */
export function checkGroups(report: Report): void {
  const names = new Set<string>();
  report.pkg.groups.forEach(({ name }, index) => {
    const place = report.paramsLine('groups', index);
    if (name.includes('/')) report.error(place, `parameter group "${name}" contains invalid character '/'`);
    if (names.has(name)) report.error(place, `parameter group "${name}" is duplicated`);
    names.add(name);
  });
  for (const parameter of report.pkg.parameters) {
    const { group } = parameter;
    if (group === undefined || group === '' || names.has(group)) continue;
    const message = `parameter "${parameter.name}" has a group "${group}" that is not defined in the group section`;
    report.error(report.parameterLine(parameter), message, { rule: 'undefined-group', subject: group });
  }
}

/** What is wrong with a YAML value as a value of that type. Unlike in KUDO, a whole number is an integer. */
export function nativeProblem(type: string | undefined, value: JsonValue): string | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? undefined : `type is "string" but format is invalid: ${goText(value)}`;
    case 'integer':
      return Number.isInteger(value) ? undefined : scalarProblem(type, value);
    case 'number':
      return typeof value === 'number' ? undefined : scalarProblem(type, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : scalarProblem(type, value);
    case 'array':
      return Array.isArray(value) ? undefined : `type is "array" but value ${goText(value)} is not an array`;
    case 'map':
      return isJsonObject(value) ? undefined : `type is "map" but value ${goText(value)} is not a map`;
    case INSTANCE_TYPE:
      return scalarProblem(type, value);
    default:
      return undefined;
  }
}

/** Of a value that is not of the type itself; a text may say one. */
function scalarProblem(type: string, value: JsonValue): string | undefined {
  return typeof value === 'string' ? typeProblem(type, value) : wrongScalar(type, value);
}

function wrongScalar(type: string, value: JsonValue): string {
  return `type is "${type}" but format of "${goText(value)}" is invalid`;
}
