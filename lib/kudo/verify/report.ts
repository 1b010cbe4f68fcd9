import type { OperatorPackage, PackageParameter, PackageProblem } from '../package/types';
import { problemAt } from '../package/types';

/** What verification says: valid means no errors. Both lists are in the order of the checks. */
export interface Verification {
  readonly errors: readonly PackageProblem[];
  readonly warnings: readonly PackageProblem[];
}

/** Collects what the checks find, and knows where things are in the package's files. */
export class Report {
  readonly errors: PackageProblem[] = [];
  readonly warnings: PackageProblem[] = [];
  /** The rule that is being checked; findings that name no other one have it. */
  rule = 'package';

  constructor(readonly pkg: OperatorPackage) {}

  operatorLine(...path: (string | number)[]): Place {
    return { file: 'operator.yaml', line: this.pkg.lineOf('operator.yaml', path) };
  }

  parameterLine(parameter: PackageParameter): Place {
    return this.paramsLine('parameters', this.pkg.parameters.indexOf(parameter));
  }

  paramsLine(...path: (string | number)[]): Place {
    return { file: 'params.yaml', line: this.pkg.lineOf('params.yaml', path) };
  }

  error(place: Place, message: string, about: FindingAbout = {}): void {
    this.errors.push({ ...problemAt(place.file, place.line, message), rule: this.rule, ...about });
  }

  warn(place: Place, message: string, about: FindingAbout = {}): void {
    this.warnings.push({ ...problemAt(place.file, place.line, message), rule: this.rule, ...about });
  }
}

/** What a finding says for tools. */
export type FindingAbout = Pick<PackageProblem, 'rule' | 'subject'>;

export interface Place {
  readonly file: string;
  readonly line: number;
}

/** A place in a template's file. */
export function templatePlace(key: string, line = 0): Place {
  return { file: `templates/${key}`, line };
}
