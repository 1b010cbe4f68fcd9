import { formatTime } from '@/lib/clock/clock';
import { formatAge } from '@/lib/clock/duration';
import { type CertificateStatus, certificateEnd, certificateWarnings } from './certificate';
import { type ControllerPlace, controllerPlace, type ProductStatus } from './product-status';

/** Where the leader is, in words. */
export const placeWords: { readonly [place in ControllerPlace]: string } = {
  here: 'runs in this process and leads',
  elsewhere: 'runs in another process',
  nowhere: 'no controller leads',
  unknown: 'not known: the lease cannot be read',
};

/** The whole status as text for a ticket. It has names and sizes, and no values of parameters, Secrets or credentials. */
export function supportText(status: ProductStatus): string {
  const { console: own, cluster, controller, leases, leaseProblem, problems } = status;
  const sections = [
    [
      `Bravo ${own.version}, ${formatTime(status.atMs)}`,
      `Node ${own.node}, up ${formatAge(own.uptimeMs)}, ${megabytes(own.memoryBytes)}`,
      `Audit log: ${own.audit.mode}${own.audit.problem === undefined ? '' : `, cannot be written: ${own.audit.problem}`}`,
      ...certificateLines(own.certificate, status.atMs),
      `API server: ${cluster.version ?? 'version not known'}, ${cluster.isSandbox ? 'sandbox' : `cluster ${cluster.name}`}, ${cluster.problem ?? 'answers'}`,
    ],
    [
      `Controller: ${placeWords[controllerPlace(status)]} (here: ${controller.state})`,
      `Webhook: ${controller.webhook ?? 'none in this process'}`,
      ...(controller.leaseProblem === undefined ? [] : [`Lease: ${controller.leaseProblem}`]),
      ...(leases ?? []).map(
        ({ name, holder, renewedMsAgo, transitions }) =>
          `Lease ${name}: ${holder === '' ? 'free' : `held by ${holder}`}, renewed ${ageOf(renewedMsAgo)}, ${transitions} transitions`,
      ),
      ...(leaseProblem === undefined ? [] : [`Leases: ${leaseProblem}`]),
    ],
    controller.figures === undefined
      ? []
      : [
          `Queued: ${controller.figures.queued}, longest reconcile ${Math.round(controller.figures.longestRunningMs)} ms`,
          ...controller.figures.caches.map(
            ({ resource, objects, staleMs }) => `Copy of ${resource}: ${objects} objects${lateWords(staleMs)}`,
          ),
        ],
    own.topics.map(
      ({ topic, objects, readers, staleMs }) =>
        `Watch ${topic}: ${objects} objects, ${readers} readers${lateWords(staleMs)}`,
    ),
    problems.map(({ atMs, part, level, event, text }) =>
      `${formatTime(atMs)} ${part} ${level} ${event} ${text}`.trim(),
    ),
  ];
  const lines = sections.filter((section) => section.length > 0).map((section) => section.join('\n'));
  return `${lines.join('\n\n')}\n`;
}

function certificateLines(certificate: CertificateStatus | undefined, atMs: number): string[] {
  if (certificate === undefined) return [];
  const warnings = certificateWarnings(certificate, atMs).map(({ text }) => text);
  return [[`Certificate: ${certificateEnd(certificate)}`, ...warnings].join('. ')];
}

/** `120 MB`. */
export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}

function ageOf(ms: number | undefined): string {
  return ms === undefined ? 'never' : `${formatAge(ms)} ago`;
}

function lateWords(staleMs: number): string {
  return staleMs <= 0 ? '' : `, out of date for ${formatAge(staleMs)}`;
}
