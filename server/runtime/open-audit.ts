import { systemClock } from '@/lib/clock/clock';
import { AuditLog } from '@/server/audit/audit-log';
import type { AuditSettings } from '@/server/config/audit';
import type { Log } from '@/server/log/log';

/** The audit log with what it had before. It ends last, when no request can come any more. */
export async function openAudit(settings: AuditSettings, log: Log): Promise<AuditLog> {
  const { stdout } = process;
  // Without a listener the end of the reader would end this process.
  if (settings.mode === 'stdout') stdout.on('error', () => {});
  const print = (line: string) => {
    if (!stdout.writable) throw new Error('nobody reads standard output any more');
    stdout.write(line);
  };
  const audit = new AuditLog({ settings, clock: systemClock, log, print });
  await audit.load();
  return audit;
}
