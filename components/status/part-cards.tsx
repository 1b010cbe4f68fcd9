import { Card } from '@/components/ui/card';
import { KeyValues } from '@/components/ui/key-values';
import { StatusText } from '@/components/ui/status';
import { formatAge } from '@/lib/clock/duration';
import type { StatusKey } from '@/lib/kudo/view/status-words';
import { type CertificateStatus, certificateEnd, certificateWarnings } from '@/lib/status/certificate';
import {
  type AuditLogStatus,
  type ControllerPlace,
  controllerPlace,
  isHeld,
  type ProductStatus,
} from '@/lib/status/product-status';
import { megabytes, placeWords } from '@/lib/status/support-text';

const PLACES: { readonly [place in ControllerPlace]: readonly [status: StatusKey, word: string] } = {
  here: ['healthy', 'Runs here'],
  elsewhere: ['healthy', 'Runs elsewhere'],
  nowhere: ['failing', 'No leader'],
  unknown: ['unknown', 'Not known'],
};

const HERE = {
  running: 'leads',
  standby: 'waits for the lease',
  forbidden: 'may not use the lease',
  yields: 'waits until KUDO’s own manager is gone',
  off: 'does not run',
  failed: 'has stopped and is started again',
} as const;

/** Where the controller is that leads, and what it has to do. */
export function ControllerCard({ status }: { status: ProductStatus }) {
  const { controller } = status;
  const place = controllerPlace(status);
  const [key, word] = PLACES[place];
  const { figures } = controller;
  return (
    <Card title="Controller" padded action={<StatusText status={key} word={word} />}>
      <KeyValues
        entries={[
          ['Leader', placeWords[place]],
          ['In this process', HERE[controller.state]],
          ['Webhook', controller.webhook ?? 'none in this process'],
          ['Queued', figures === undefined ? undefined : `${figures.queued} Instances`],
          ['Longest reconcile', figures === undefined ? undefined : `${formatAge(figures.longestRunningMs)} until now`],
          ['Problem', controller.leaseProblem],
        ]}
      />
    </Card>
  );
}

/** Who holds the leases of controllers. */
export function LeaseCard({ status: { leases, leaseProblem } }: { status: ProductStatus }) {
  return (
    <Card title="Leases" padded>
      {leases === undefined && <p className="text-ink-2">The leases cannot be read: {leaseProblem}.</p>}
      {leases?.length === 0 && <p className="text-ink-2">No controller has held a lease in this cluster.</p>}
      <div className="grid gap-4">
        {leases?.map((lease) => (
          <KeyValues
            key={lease.name}
            entries={[
              ['Lease', <code key="lease">{lease.name}</code>],
              ['Holder', isHeld(lease) ? <Long key="holder" text={lease.holder} /> : 'nobody'],
              ['Renewed', lease.renewedMsAgo === undefined ? 'never' : `${formatAge(lease.renewedMsAgo)} ago`],
              ['Transitions', String(lease.transitions)],
            ]}
          />
        ))}
      </div>
    </Card>
  );
}

/** Which cluster it is, and whether it answers. */
export function ApiServerCard({ status: { cluster } }: { status: ProductStatus }) {
  const isWell = cluster.problem === undefined;
  const state = <StatusText status={isWell ? 'healthy' : 'failing'} word={isWell ? 'Answers' : 'Unreachable'} />;
  return (
    <Card title="API server" padded action={state}>
      <KeyValues
        entries={[
          ['Cluster', cluster.isSandbox ? 'the embedded sandbox' : cluster.name],
          ['Context', cluster.isSandbox ? undefined : cluster.context],
          ['Server', <Long key="server" text={cluster.server} />],
          ['Version', cluster.version ?? 'not known'],
          ['Problem', cluster.problem],
        ]}
      />
    </Card>
  );
}

/** The process of the console. */
export function ConsoleCard({ status: { console: own, atMs } }: { status: ProductStatus }) {
  return (
    <Card title="This console" padded>
      <KeyValues
        entries={[
          ['Bravo', own.version],
          ['Node', own.node],
          ['Started', `${formatAge(own.uptimeMs)} ago`],
          ['Memory', megabytes(own.memoryBytes)],
          ['Audit log', <AuditWords key="audit" audit={own.audit} />],
          ['Certificate', own.certificate && <CertificateWords certificate={own.certificate} nowMs={atMs} />],
        ]}
      />
    </Card>
  );
}

/** Where the audit log goes, and why it does not. */
function AuditWords({ audit: { mode, folder, lost, problem } }: { audit: AuditLogStatus }) {
  if (mode === 'off') return 'off';
  const where = mode === 'stdout' ? 'standard output' : <Long text={folder ?? ''} />;
  if (problem === undefined && lost === 0) return where;
  const entries = `${lost} ${lost === 1 ? 'entry was' : 'entries were'} lost`;
  return (
    <>
      {where}
      <span className="block text-fail">
        {problem === undefined ? entries : `Cannot be written: ${problem}; ${entries}`}
      </span>
    </>
  );
}

/** Until when the certificate of the console is valid, and what somebody has to do about it. */
function CertificateWords({ certificate, nowMs }: { certificate: CertificateStatus; nowMs: number }) {
  return (
    <>
      {certificateEnd(certificate)}
      {certificateWarnings(certificate, nowMs).map(({ level, text }) => (
        <span key={text} className={`block break-words ${level === 'failing' ? 'text-fail' : 'text-wait'}`}>
          {text}
        </span>
      ))}
    </>
  );
}

function Long({ text }: { text: string }) {
  return <code className="break-all">{text}</code>;
}
