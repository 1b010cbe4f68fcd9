'use client';

import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { StatusIcon } from '@/components/ui/status-icon';

/** Asks somebody who has typed whether the page may be loaded anew; once they go on with it, a line says what it is. */
export function OtherView({
  isAsking,
  onKeep,
  onReload,
}: {
  isAsking: boolean;
  onKeep: () => void;
  onReload: () => void;
}) {
  return (
    <>
      {!isAsking && <KeptLine onReload={onReload} />}
      <Dialog
        open={isAsking}
        onClose={onKeep}
        title="A view of another user has begun or ended"
        footer={
          <Button variant="primary" data-first-focus="" onClick={onReload}>
            Reload the page
          </Button>
        }
      >
        <p>
          That happened in another tab of this browser, or the hour of the view is over. This page is not updated any
          more. Copy what you have typed, then reload the page.
        </p>
      </Dialog>
    </>
  );
}

function KeptLine({ onReload }: { onReload: () => void }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b bg-wait-soft px-4 py-2 font-medium text-wait md:px-6">
      <StatusIcon shape="broken-link" />
      This page is not updated any more
      <span className="font-normal text-ink-2">A view of another user has begun or ended in this browser.</span>
      <span className="md:ms-auto">
        <Button size="small" onClick={onReload}>
          Reload the page
        </Button>
      </span>
    </p>
  );
}
