'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RequestError, request } from '@/components/live/request';
import { operatorPath } from '@/components/operators/operator-path';
import { CATALOGUE_KEY } from '@/components/operators/use-catalogue';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { KeyValues } from '@/components/ui/key-values';
import { useRouter } from '@/components/ui/navigation';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { StatusText } from '@/components/ui/status';
import { showToast } from '@/components/ui/toast';
import type { PackageSummary } from '@/lib/kudo/package/catalogue';
import type { VersionEvidence } from '@/lib/kudo/repository/repository-info';
import type { StatusKey } from '@/lib/kudo/view/status-words';
import { provenanceLines, sbomLines } from './document-lines';
import type { FoundVersion } from './repository-rows';

/** Where a version comes from and what is in it, and the way into the catalogue. */
export function RepositoryVersionDialog({
  version,
  onClose,
}: {
  version: FoundVersion | undefined;
  onClose: () => void;
}) {
  const title =
    version === undefined ? '' : [version.name, version.appVersion, version.operatorVersion].filter(Boolean);
  return (
    <Dialog open={version !== undefined} onClose={onClose} title={title === '' ? '' : title.join(' ')} wide>
      {version !== undefined && <Details version={version} onClose={onClose} />}
    </Dialog>
  );
}

function Details({ version, onClose }: { version: FoundVersion; onClose: () => void }) {
  const { repository, name, operatorVersion, appVersion } = version;
  const wish = { name, operatorVersion, appVersion };
  const { data, error } = useQuery<VersionEvidence, RequestError>({
    queryKey: ['repository-evidence', repository, wish],
    queryFn: ({ signal }) =>
      request<VersionEvidence>(`/api/repositories/${repository}/evidence?${new URLSearchParams(wish)}`, { signal }),
    retry: false,
    staleTime: 60_000,
  });
  const add = useAddToCatalogue(repository, wish, onClose);
  const isRefused = data?.signature.state === 'refused';
  return (
    <div className="grid gap-4">
      {version.description !== '' && <p className="text-ink-2">{version.description}</p>}
      {data === undefined && error === null && <SkeletonRows rows={4} />}
      {error !== null && (
        <Notice tone="fail" title="The package cannot be read">
          {error.message}
        </Notice>
      )}
      {data !== undefined && <Evidence evidence={data} repository={repository} />}
      {add.error !== null && (
        <Notice tone="fail" alert title={`${name} was not added to the catalogue`}>
          {add.error.message}
          <ul>
            {add.error.causes.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                <code>{field}</code> {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="flex justify-end gap-2">
        <Button data-first-focus="" onClick={onClose}>
          Close
        </Button>
        <Button
          variant="primary"
          busy={add.isPending}
          disabledReason={isRefused ? 'The signature that the repository requires is missing or wrong.' : undefined}
          onClick={() => add.mutate()}
        >
          Add to the catalogue
        </Button>
      </div>
    </div>
  );
}

function useAddToCatalogue(repository: string, wish: { readonly [field: string]: string }, onClose: () => void) {
  const client = useQueryClient();
  const router = useRouter();
  return useMutation<{ package: PackageSummary }, RequestError>({
    mutationFn: () => request(`/api/repositories/${repository}/add`, { method: 'POST', body: wish }),
    onSuccess: async ({ package: { name, key } }) => {
      await client.invalidateQueries({ queryKey: CATALOGUE_KEY });
      showToast({ tone: 'ok', title: `${name} was added to the catalogue` });
      onClose();
      router.push(operatorPath(name, key));
    },
  });
}

const signatures: { readonly [state in VersionEvidence['signature']['state']]: [StatusKey, string] } = {
  verified: ['healthy', 'Signed'],
  refused: ['failing', 'Refused'],
  present: ['waiting', 'Not checked'],
  none: ['NEVER_RUN', 'Not signed'],
};

function Evidence({ evidence, repository }: { evidence: VersionEvidence; repository: string }) {
  const { signature, sha256, provenance, sbom } = evidence;
  const [status, word] = signatures[signature.state];
  return (
    <>
      <div className="grid gap-1">
        <StatusText status={status} word={word} />
        <p className="break-words text-ink-2 text-xs">{signature.message}</p>
      </div>
      <KeyValues
        entries={[
          ['Repository', repository],
          [
            'SHA-256',
            <code key="digest" className="break-all">
              {sha256}
            </code>,
          ],
        ]}
      />
      <Document
        title="Provenance"
        lines={provenance === undefined ? undefined : provenanceLines(provenance)}
        text={provenance}
      />
      <Document title="Contents (SBOM)" lines={sbom === undefined ? undefined : sbomLines(sbom)} text={sbom} />
    </>
  );
}

/** What a document says in lines, and its whole text below. */
function Document({
  title,
  lines,
  text,
}: {
  title: string;
  lines: readonly (readonly [label: string, value: string])[] | undefined;
  text: string | undefined;
}) {
  return (
    <section aria-label={title} className="grid gap-1.5">
      <h3 className="font-semibold">{title}</h3>
      {lines === undefined || text === undefined ? (
        <p className="text-ink-3">The publisher gave none.</p>
      ) : (
        <>
          <KeyValues
            entries={lines.map(([label, value]) => [
              label,
              <span key={label} className="break-all">
                {value}
              </span>,
            ])}
          />
          <details>
            <summary className="text-ink-2 text-xs">As the publisher wrote it (not signed)</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard */}
            <pre tabIndex={0} className="mono mt-1 max-h-72 overflow-auto rounded-md bg-sunken p-3 text-xs">
              {text}
            </pre>
          </details>
        </>
      )}
    </section>
  );
}
