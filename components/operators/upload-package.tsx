'use client';

import { useQueryClient } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { RequestError, request } from '@/components/live/request';
import { Button } from '@/components/ui/button';
import { useRouter } from '@/components/ui/navigation';
import { Notice } from '@/components/ui/notice';
import { showToast } from '@/components/ui/toast';
import { messageOf } from '@/lib/errors/errors';
import type { PackageSummary } from '@/lib/kudo/package/catalogue';
import { operatorPath } from './operator-path';
import { CATALOGUE_KEY } from './use-catalogue';

/** Why an upload was refused. */
export interface RefusedPackage {
  readonly file: string;
  readonly message: string;
  readonly causes: readonly { readonly field: string; readonly message: string }[];
}

/** Takes a `.tgz`, has it verified and put into the catalogue; `onRefused` hears what is wrong with it, undefined for a new try. */
export function UploadPackage({ onRefused }: { onRefused: (refused: RefusedPackage | undefined) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  const client = useQueryClient();
  const router = useRouter();
  const [isBusy, setIsBusy] = useState(false);
  const upload = async (file: File) => {
    setIsBusy(true);
    onRefused(undefined);
    try {
      const made = await request<{ package: PackageSummary }>('/api/packages', {
        method: 'POST',
        body: file,
        contentType: 'application/gzip',
      });
      await client.invalidateQueries({ queryKey: CATALOGUE_KEY });
      showToast({ tone: 'ok', title: `${made.package.name} was added to the catalogue` });
      router.push(operatorPath(made.package.name, made.package.key));
    } catch (error) {
      const causes = error instanceof RequestError ? error.causes : [];
      onRefused({ file: file.name, message: messageOf(error), causes });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept=".tgz,.tar.gz,application/gzip"
        aria-label="Package file"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file !== undefined) void upload(file);
        }}
      />
      <Button icon={<Upload size={15} aria-hidden="true" />} busy={isBusy} onClick={() => picker.current?.click()}>
        Upload .tgz
      </Button>
    </>
  );
}

/** What is wrong with a package, with file and line; below the header, so that the button does not move. */
export function RefusedNotice({ refused, onClose }: { refused: RefusedPackage; onClose: () => void }) {
  return (
    <Notice
      tone="fail"
      alert
      title={`Upload failed: ${refused.file}`}
      className="mb-4"
      action={
        <Button size="small" onClick={onClose}>
          Close
        </Button>
      }
    >
      {refused.causes.length === 0 && <p>{refused.message}</p>}
      <ul className="grid gap-0.5">
        {refused.causes.map(({ field, message }) => (
          <li key={`${field} ${message}`}>
            <code className="text-ink">{field}</code> {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
