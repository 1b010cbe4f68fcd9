/** On a ConfigMap or Secret, with any value: it says where notices of runs go (docs/decisions/076). */
export const NOTICES_LABEL = 'bravo.kudo.dev/notices';

/** A PlanApproval waits for a second person. No run exists then. */
export const APPROVAL_REQUESTED = 'ApprovalRequested';

/** What a notice can be about: the statuses that a run comes to, its beginning, and a request to start it. */
export const NOTICE_RESULTS = [
  'Started',
  'Paused',
  'COMPLETE',
  'FATAL_ERROR',
  'Cancelled',
  APPROVAL_REQUESTED,
] as const;
export type NoticeResult = (typeof NOTICE_RESULTS)[number];

/** A notice that names no results is about these. */
export const DEFAULT_RESULTS: readonly NoticeResult[] = ['Paused', 'COMPLETE', 'FATAL_ERROR', 'Cancelled'];

export const NOTICE_FORMATS = ['json', 'slack'] as const;
export type NoticeFormat = (typeof NOTICE_FORMATS)[number];

/** The object that configures notices. */
export interface NoticeSource {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly namespace: string;
  readonly name: string;
  /** Its keys with their texts; those of a Secret decoded. */
  readonly texts: ReadonlyMap<string, string>;
}

/** One place to which notices go, and which of them. */
export interface NoticeRule {
  /** `Secret/NAMESPACE/NAME/NOTICE`: unique in the cluster, and no secret. */
  readonly id: string;
  readonly name: string;
  /** http or https. A secret: nobody is shown more of it than its host. */
  readonly url: string;
  readonly format: NoticeFormat;
  /** The key of the signature; undefined when nothing is signed. */
  readonly signingKey: string | undefined;
  /** Names of plans, `*` stands for any text; empty when all. */
  readonly plans: readonly string[];
  readonly results: readonly NoticeResult[];
  /** Labels that the Instance must have. */
  readonly matchLabels: { readonly [label: string]: string };
  /** Namespaces of the Instances, `*` stands for any text. */
  readonly namespaces: readonly string[];
}

/** `Secret NAMESPACE/NAME`. */
export function noticeSourceWords({ kind, namespace, name }: Omit<NoticeSource, 'texts'>): string {
  return `${kind} ${namespace}/${name}`;
}

/** The host of a URL, the one part that may be shown. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an invalid URL';
}
