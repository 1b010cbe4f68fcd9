import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { formatTime } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import { APPROVAL_REQUESTED, hostOf, type NoticeRule } from '@/lib/kudo/notices/notice';
import { NOTICE_SCHEMA, type NoticeContent } from '@/lib/kudo/notices/notice-body';
import { readNoticeSettings } from '@/server/config/notices';
import { noticeRequest } from '@/server/notices/notice-request';
import { createPostNotice } from '@/server/notices/post-notice';
import { withSession } from '../support/session';
import { readNotices, requireNotice } from './read-notices';

interface TestFlags {
  readonly leaseNamespace: string;
}

/** `bravo notices test NAME`: sends a notice from this machine as the controller sends its own. */
export function noticesTestCommand(): Command {
  return new Command('test')
    .description('Send a test notice from this machine, and show what the receiver answers')
    .argument('<name>', 'the notice')
    .option('--lease-namespace <name>', 'namespace of the controller, whose notices may be about others', 'default')
    .action(async (name: string, flags: TestFlags, self: Command) => {
      const { allowLocal } = readNoticeSettings(process.env);
      await withSession(self, async (session) => {
        const { clock, namespace } = session;
        const notice = requireNotice(await readNotices(session, namespace, flags.leaseNamespace), name);
        const request = noticeRequest(notice, contentOf(notice, namespace, clock.now()), clock.now());
        const outcome = await createPostNotice({ clock, allowLocal })(request);
        const host = hostOf(notice.url);
        if (outcome.is !== 'delivered') {
          throw new TerminalError(`the test notice was not delivered: ${host} ${outcome.why}`, 'NotDelivered');
        }
        session.printLine(`The test notice was delivered: ${host} answered ${outcome.status}.`);
      });
    });
}

/** About a run, or a request, that does not exist. */
function contentOf({ name, results }: NoticeRule, namespace: string, nowMs: number): NoticeContent {
  const [result = 'COMPLETE'] = results;
  const subject =
    result === APPROVAL_REQUESTED
      ? { approval: 'test-test-1' }
      : { run: 'test-test-1', uid: randomUUID(), cause: 'Manual' };
  return {
    schema: NOTICE_SCHEMA,
    id: randomUUID(),
    notice: name,
    test: true,
    result,
    at: formatTime(nowMs),
    namespace,
    instance: 'test',
    plan: 'test',
    ...subject,
    reason: 'bravo notices test',
  };
}
