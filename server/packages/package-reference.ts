/** What is wanted: a reference as a person or a KudoOperator task writes it, and maybe versions. */
export interface PackageReference {
  readonly name: string;
  readonly appVersion?: string | undefined;
  readonly operatorVersion?: string | undefined;
}
