/** What stands for values beyond the bound. */
export const OTHER = 'other';

/**
 * Values of a label that come from outside. Each value is a series that lives as long as the process, so only the first ones are kept;
 * later ones count as `other`.
 */
export class BoundedLabels {
  private readonly known = new Set<string>();

  constructor(private readonly most: number) {}

  /** The values themselves, or `other` for each of them. */
  of<Labels extends { readonly [name: string]: string }>(labels: Labels): Labels {
    const key = Object.values(labels).join('\n');
    if (this.known.has(key)) return labels;
    if (this.known.size < this.most) {
      this.known.add(key);
      return labels;
    }
    return Object.fromEntries(Object.keys(labels).map((name) => [name, OTHER])) as Labels;
  }
}
