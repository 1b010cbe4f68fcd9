import type { KubeObject } from '@/lib/kube/object';
import type { Api, Target } from './api';
import type { CacheListener, CacheOptions } from './cache-options';
import { Cache } from './watched-cache';

export interface JoinedCacheOptions {
  readonly options: CacheOptions;
  /** At least one, each once. */
  readonly namespaces: readonly string[];
}

/**
 * One copy of the objects of several namespaces, each listed and watched for itself: for an account that may not list all namespaces.
 * It is synced when all are, and stale since the first of them was.
 */
export class JoinedCache extends Cache {
  private readonly partByNamespace: ReadonlyMap<string, Cache>;

  constructor(api: Api, target: Target, { options, namespaces }: JoinedCacheOptions) {
    super(api, target, options);
    this.partByNamespace = new Map(
      namespaces.map((namespace) => [namespace, new Cache(api, { ...target, namespace }, options)]),
    );
    void Promise.all(this.parts.map((part) => part.synced)).then(() => this.markSynced());
  }

  override start(): void {
    for (const part of this.parts) part.start();
  }

  override async stop(): Promise<void> {
    await Promise.all(this.parts.map((part) => part.stop()));
  }

  override reopen(sinceMs: number): void {
    for (const part of this.parts) part.reopen(sinceMs);
  }

  override get isSynced(): boolean {
    return this.parts.every((part) => part.isSynced);
  }

  override get staleSinceMs(): number | undefined {
    const all = this.parts.flatMap(({ staleSinceMs }) => staleSinceMs ?? []);
    return all.length === 0 ? undefined : Math.min(...all);
  }

  override get problem(): Error | undefined {
    return this.parts.find((part) => part.problem !== undefined)?.problem;
  }

  override get(namespace: string, name: string): KubeObject | undefined {
    return this.partByNamespace.get(namespace)?.get(namespace, name);
  }

  override list(namespace?: string): KubeObject[] {
    const parts = namespace === undefined ? this.parts : [this.partByNamespace.get(namespace)];
    return parts.flatMap((part) => part?.list() ?? []);
  }

  override get size(): number {
    return this.parts.reduce((sum, { size }) => sum + size, 0);
  }

  override onChange(listener: CacheListener): () => void {
    const ends = this.parts.map((part) => part.onChange(listener));
    return () => {
      for (const end of ends) end();
    };
  }

  private get parts(): readonly Cache[] {
    return [...this.partByNamespace.values()];
  }
}
