import type { JsonValue } from '@/lib/json/json';
import type { GroupVersionResource, KubeObject, ResourceType } from '@/lib/kube/object';
import type { ChannelSocket } from './transport';

/** An object, or all objects of a resource when `name` is absent. Without `namespace`: cluster scope, or all namespaces. */
export interface Target extends GroupVersionResource {
  namespace?: string | undefined;
  name?: string | undefined;
}

export interface ListRequest {
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  resourceVersion?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** A part of a list. */
export interface ListedPage {
  readonly items: readonly KubeObject[];
  /** True for the first one, also when the list is read again from its beginning: what came before does not count. */
  readonly isFirst: boolean;
  /** How many objects follow; undefined when the API server does not say. */
  readonly remaining: number | undefined;
}

export interface PagedListRequest extends ListRequest {
  /** Takes each page as it arrives; the result is without items then. So a large list is never in memory as it was sent. */
  onPage?: ((page: ListedPage) => void) | undefined;
}

export interface WriteOptions {
  subresource?: string | undefined;
  dryRun?: boolean | undefined;
  fieldManager?: string | undefined;
  /** Server-side apply only: take fields over from other managers. */
  force?: boolean | undefined;
  signal?: AbortSignal | undefined;
  beforeSend?: BeforeSend | undefined;
}

/** Called right before the request is sent, after any wait; an error that it throws cancels the request. */
export type BeforeSend = () => void;

export interface DeleteOptions {
  propagation?: 'Foreground' | 'Background' | 'Orphan' | undefined;
  gracePeriodSeconds?: number | undefined;
  /** Delete only the object with this uid. */
  uid?: string | undefined;
  resourceVersion?: string | undefined;
  dryRun?: boolean | undefined;
  signal?: AbortSignal | undefined;
  beforeSend?: BeforeSend | undefined;
}

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

export interface ObjectList {
  resourceVersion: string;
  items: KubeObject[];
}

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';

export interface WatchEvent {
  type: WatchEventType;
  object: KubeObject;
}

/**
 * The verbs of a Kubernetes API with one identity's authority. Every call has a deadline (lib/limits) and ends when its
 * signal is aborted. Failures are `ConflictError`, `TransientError`, `BlockedError` or `TerminalError`, each a
 * `KubeError` detail with HTTP code and the API's own message (server/kube/errors: one table).
 */
export interface Api {
  /** The only namespaces that this identity may read; absent: all that it is allowed to (server/kube/namespaced-api). */
  readonly namespaces?: readonly string[] | undefined;
  /** The object; undefined for a 404. */
  get(target: Target, options?: { signal?: AbortSignal }): Promise<KubeObject | undefined>;
  /** All objects, read page by page. */
  list(target: Target, options?: PagedListRequest): Promise<ObjectList>;
  /** One watch request from a resourceVersion on; ends when the server ends it. `Gone` (410) is a ConflictError. */
  watch(target: Target, options: ListRequest & { resourceVersion: string }): AsyncIterable<WatchEvent>;
  create(target: Target, object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  /** PUT; `metadata.resourceVersion` guards it when given. */
  update(target: Target, object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  patch(target: Target, type: PatchType, patch: JsonValue, options?: WriteOptions): Promise<KubeObject>;
  /** The last state or a Status; undefined for a 404. */
  delete(target: Target, options?: DeleteOptions): Promise<KubeObject | undefined>;
  /** Every resource that the API serves. A group version that fails is in `failed`. Cached; `refresh` asks again. */
  discover(options?: { refresh?: boolean }): Promise<ApiDiscovery>;
  /** Runs a command in a container (WebSocket `v5.channel.k8s.io`). Rejects when the exit code is not 0 (server/kube/exec CommandFailure). */
  exec(target: Target, options: ExecOptions): Promise<Uint8Array>;
  /** Runs a command with a terminal in a container, as messages of Kubernetes' channel protocol. */
  openTerminal(target: Target, options: TerminalRequest): Promise<ChannelSocket>;
  /** Resolves when a port of a pod accepts a connection (WebSocket `pods/portforward`). */
  probePort(target: Target, options: PortCheckOptions): Promise<void>;
  /** The log of a container as bytes. */
  log(target: Target, options: LogOptions): AsyncIterable<Uint8Array>;
  /** Any other request, unchanged: for the proxy and OpenAPI. */
  raw(request: RawRequest): Promise<RawResponse>;
  /**
   * Waits before a retry: for this long, or shorter when the server was unreachable and answers again (server/kube/contact).
   * Ends early with the signal, without an error. Callers sleep where it is absent.
   */
  pause?(delayMs: number, signal: AbortSignal): Promise<void>;
}

export interface ApiDiscovery {
  readonly resources: readonly ResourceType[];
  /** Group versions that could not be read. */
  readonly failed: readonly string[];
}

export interface ExecOptions {
  container?: string | undefined;
  command: readonly string[];
  /** More bytes of output than this are a TerminalError. */
  maxBytes: number;
  /** Gets the beginning of standard error when the command has ended, whatever its exit code. */
  onErrors?: ((text: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface TerminalRequest {
  readonly container: string;
  /** Program and arguments. */
  readonly command: readonly string[];
  /** Closes it. */
  readonly signal: AbortSignal;
}

export interface PortCheckOptions {
  readonly port: number;
  readonly signal?: AbortSignal | undefined;
}

export interface LogOptions {
  container?: string | undefined;
  follow?: boolean | undefined;
  tailLines?: number | undefined;
  previous?: boolean | undefined;
  timestamps?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export interface RawRequest {
  method: string;
  /** Path with query, already encoded. */
  path: string;
  headers?: { [name: string]: string };
  body?: string | Uint8Array | undefined;
  signal?: AbortSignal | undefined;
  beforeSend?: BeforeSend | undefined;
}

export interface RawResponse {
  status: number;
  headers: { [name: string]: string };
  body: AsyncIterable<Uint8Array>;
}
