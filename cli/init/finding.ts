/** What is installed, one sentence for each part, in the order of the parts. */
export interface InstallationCheck {
  readonly installed: readonly string[];
  /** Plans run all the same. */
  readonly warnings: readonly string[];
  /** Plans do not run. */
  readonly errors: readonly string[];
}

export type InstallationFinding = readonly [kind: keyof InstallationCheck, sentence: string];
