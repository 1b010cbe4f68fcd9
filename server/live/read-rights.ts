/** A resource, as rights know it. */
export interface RightsOf {
  readonly group: string;
  readonly resource: string;
}

/**
 * What one person may read. Each answer is undefined while it is not known: asking for it has it found out, and `follow` says when an
 * answer has changed. Answers stay current only while somebody follows.
 */
export interface ReadRights {
  /** The person, in the words of the API server's refusals. */
  readonly user: string;
  /** All objects of the resource, in every namespace. */
  mayReadAll(type: RightsOf): boolean | undefined;
  /** The objects of the resource in a namespace; with a name that one object. */
  mayRead(type: RightsOf, namespace: string, name?: string): boolean | undefined;
  /** That the namespace exists: the person may read operators' objects in it, or the namespace itself. */
  maySee(namespace: string): boolean | undefined;
  /** Calls the listener after answers changed, and before answers that nobody asks for are forgotten; the result ends it. */
  follow(listener: () => void): () => void;
}
