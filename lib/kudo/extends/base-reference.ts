import { defined, type Fields } from '../package/fields';

/** `extends` of operator.yaml: the package that this one builds on. */
export interface BaseReference {
  readonly operator: string;
  /** A range such as `>=16 <17`, for the application's version where the base has one, else for the operator's. */
  readonly version?: string;
  /** The same for the operator's version. */
  readonly operatorVersion?: string;
  /** Name of a repository of the list; by default the base is looked up as every package is. */
  readonly repository?: string;
  /** A folder or `.tgz`, relative to the package. */
  readonly path?: string;
}

/** Reads `extends`; undefined when there is none. */
export function readBaseReference(fields: Fields): BaseReference | undefined {
  return fields.child('extends', (each) => {
    const operator = each.text('operator') ?? '';
    if (operator === '') each.problem('operator', '"extends" needs "operator", the name of the base.');
    return defined({
      operator,
      version: each.text('version'),
      operatorVersion: each.text('operatorVersion'),
      repository: each.text('repository'),
      path: each.text('path'),
    });
  });
}
