import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';

/**
 * Objects as the API server returned them from the last write or read of this leader term, so that the next change of an object
 * can be computed without a read. Each is a guess: whoever writes upon it guards the write by its resourceVersion.
 *
 * They are kept as JSON text without `managedFields`, a third of the memory of the objects. Those used least recently are
 * dropped.
 */
export class WrittenObjects {
  /** The least recently used one first. */
  private readonly texts = new Map<string, string>();
  private chars = 0;

  /**
   * @param maxChars of all texts together
   * @param mayBeCurrent false when it is known, or likely, that the object has changed since
   */
  constructor(
    private readonly maxChars: number,
    private readonly mayBeCurrent: (live: KubeObject) => boolean,
  ) {}

  /**
   * Keeps a live object.
   *
   * @param object any object with the same API version, kind, namespace and name
   */
  keep(object: KubeObject, live: KubeObject): void {
    this.forget(object);
    // It will not exist much longer.
    if (live.metadata.deletionTimestamp !== undefined) return;
    const { managedFields: _, ...metadata } = live.metadata;
    const text = JSON.stringify({ ...live, metadata });
    this.texts.set(keyOf(object), text);
    this.chars += text.length;
    for (const [key, oldest] of this.texts) {
      if (this.chars <= this.maxChars) return;
      this.drop(key, oldest);
    }
  }

  /** The live object, when it is kept and may be current. */
  look(object: KubeObject): KubeObject | undefined {
    const text = this.texts.get(keyOf(object));
    if (text === undefined) return undefined;
    const live = JSON.parse(text) as KubeObject;
    return this.mayBeCurrent(live) ? live : undefined;
  }

  /** As {@link look}; it is not kept any more. */
  take(object: KubeObject): KubeObject | undefined {
    const live = this.look(object);
    this.forget(object);
    return live;
  }

  forget(object: KubeObject): void {
    const key = keyOf(object);
    const text = this.texts.get(key);
    if (text !== undefined) this.drop(key, text);
  }

  private drop(key: string, text: string): void {
    this.texts.delete(key);
    this.chars -= text.length;
  }
}

/** The version belongs to it: a patch is computed in the version in which it is sent. */
function keyOf(object: KubeObject): string {
  return `${object.apiVersion}/${object.kind}/${namespaceOf(object)}/${nameOf(object)}`;
}
