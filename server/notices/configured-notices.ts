import { isJsonObject } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { matchesNotice, type NoticeSubject } from '@/lib/kudo/notices/matches-notice';
import type { NoticeRule, NoticeSource } from '@/lib/kudo/notices/notice';
import { type ParsedNotices, parseNotices } from '@/lib/kudo/notices/parse-notices';
import type { NoticesAbout } from '@/lib/kudo/notices/run-notices';
import type { Cache } from '@/server/kube/cache';

type SourceKind = NoticeSource['kind'];

/** Watched ConfigMaps and Secrets with the label of notices. */
export type NoticeWatches = { readonly [kind in SourceKind]: Cache };

/** An object that configures notices, and what it says. */
export interface ConfiguredObject extends ParsedNotices {
  readonly object: KubeObject;
}

/** Every notice that is configured in the cluster, as the watches know it. Empty where the controller may not list the objects. */
export class ConfiguredNotices {
  private readonly byObject = new Map<string, ConfiguredObject>();
  private readonly listeners = new Set<(changed: ConfiguredObject | undefined) => void>();

  /** @param homeNamespace of the controller: see {@link parseNotices} */
  constructor(
    private readonly watches: NoticeWatches,
    private readonly homeNamespace: string,
  ) {
    this.follow('ConfigMap');
    this.follow('Secret');
  }

  /** False while the objects are not known: then a notice that is not found may exist. */
  get isKnown(): boolean {
    return this.watches.ConfigMap.isSynced && this.watches.Secret.isSynced;
  }

  /** Which notices are about a run, by result. */
  about(subject: NoticeSubject): NoticesAbout {
    return (result) => {
      // Their number is limited: those of a namespace must not push aside those of the whole cluster.
      const found = this.all().filter(({ notices }) => notices.some((each) => matchesNotice(each, subject, result)));
      const isHome = ({ object }: ConfiguredObject) => namespaceOf(object) === this.homeNamespace;
      return [...found.filter(isHome), ...found.filter((each) => !isHome(each))].flatMap(({ notices }) =>
        notices.filter((each) => matchesNotice(each, subject, result)).map(({ id }) => id),
      );
    };
  }

  /** The notice with that id, and the object that configures it; the object alone when what it says of the notice cannot be read. */
  find(id: string): { readonly configured: ConfiguredObject; readonly notice: NoticeRule | undefined } | undefined {
    const configured = this.byObject.get(id.slice(0, id.lastIndexOf('/')));
    if (configured === undefined) return undefined;
    const notice = configured.notices.find((each) => each.id === id);
    return notice === undefined && configured.problems.length === 0 ? undefined : { configured, notice };
  }

  all(): readonly ConfiguredObject[] {
    return [...this.byObject.values()];
  }

  /** Calls the listener after a change, with the object unless it is gone; the result unsubscribes. */
  onChange(listener: (changed: ConfiguredObject | undefined) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private follow(kind: SourceKind): void {
    this.watches[kind].onChange(({ type, object }) => {
      const source = noticeSource(kind, object);
      const id = `${kind}/${source.namespace}/${source.name}`;
      const configured = { object: headOf(kind, object), ...parseNotices(source, this.homeNamespace) };
      if (type === 'DELETED') this.byObject.delete(id);
      else this.byObject.set(id, configured);
      for (const listener of this.listeners) listener(type === 'DELETED' ? undefined : configured);
    });
  }
}

/** What an object says, as texts. */
export function noticeSource(kind: SourceKind, object: KubeObject): NoticeSource {
  const decode = (text: string) => (kind === 'Secret' ? Buffer.from(text, 'base64').toString('utf8') : text);
  const texts = Object.entries(isJsonObject(object.data) ? object.data : {}).flatMap(([key, text]) =>
    typeof text === 'string' ? [[key, decode(text)] as const] : [],
  );
  return { kind, namespace: namespaceOf(object), name: nameOf(object), texts: new Map(texts) };
}

/** Enough of an object for an event on it: annotations may hold what it says. */
function headOf(kind: SourceKind, object: KubeObject): KubeObject {
  const { uid = '', resourceVersion = '' } = object.metadata;
  const metadata = { name: nameOf(object), namespace: namespaceOf(object), uid, resourceVersion };
  return { apiVersion: 'v1', kind, metadata };
}
