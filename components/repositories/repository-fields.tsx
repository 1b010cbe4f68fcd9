'use client';

import type { RequestCause } from '@/components/live/request';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import { Switch } from '@/components/ui/switch';
import type { RepositoryDraft } from '@/lib/kudo/repository/repository-info';

interface FieldsProps {
  readonly draft: RepositoryDraft;
  /** Credentials are stored already. */
  readonly hasStored: boolean;
  readonly isNew: boolean;
  readonly causes: readonly RequestCause[];
  readonly onChange: (change: Partial<RepositoryDraft>) => void;
}

/** The fields of a repository. Stored credentials are never shown: they can be kept or replaced. */
export function RepositoryFields(props: FieldsProps) {
  const { draft, isNew, onChange } = props;
  const isOci = draft.url.startsWith('oci://');
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[200px_minmax(0,1fr)]">
        <TextField {...props} field="name" label="Name" required isFixed={!isNew} isFirst={isNew} />
        <TextField
          {...props}
          field="url"
          label="Address"
          required
          hint="https://… is a folder with index.yaml; oci://registry/path has the packages below the path."
          isFirst={!isNew}
        />
      </div>
      <Credentials {...props} />
      <Field
        label="Public keys"
        error={problemAt(props, 'signatureKeys')}
        hint="cosign.pub, in PEM. When there is one, only packages that one of these keys has signed are accepted."
      >
        {(wiring) => (
          <Textarea
            {...wiring}
            mono
            rows={4}
            spellCheck={false}
            autoComplete="off"
            value={draft.signatureKeys}
            onChange={(event) => onChange({ signatureKeys: event.target.value })}
          />
        )}
      </Field>
      {isOci && (
        <>
          <TextField
            {...props}
            field="operators"
            label="Packages"
            hint="Only for a registry that does not list its repositories: postgres valkey"
          />
          <span className="flex items-center gap-2">
            <Switch
              aria-label="Plain http"
              checked={draft.isPlainHttp}
              onChange={(isPlainHttp) => onChange({ isPlainHttp })}
            />
            Plain http: nothing is encrypted
          </span>
        </>
      )}
    </>
  );
}

function Credentials(props: FieldsProps) {
  const { draft, hasStored, onChange } = props;
  return (
    <>
      {hasStored && (
        <span className="flex items-center gap-2">
          <Switch
            aria-label="Keep the stored credentials"
            checked={draft.keepsCredentials}
            onChange={(keepsCredentials) => onChange({ keepsCredentials, username: '', password: '' })}
          />
          Keep the stored credentials
        </span>
      )}
      {!draft.keepsCredentials && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField {...props} field="username" label="User name" />
          <TextField {...props} field="password" label="Password or token" type="password" />
        </div>
      )}
    </>
  );
}

function problemAt({ causes }: FieldsProps, field: keyof RepositoryDraft): string | undefined {
  return causes.find((cause) => cause.field === field)?.message;
}

function TextField({
  field,
  label,
  hint,
  type = 'text',
  required = false,
  isFixed = false,
  isFirst = false,
  ...props
}: FieldsProps & {
  field: 'name' | 'url' | 'operators' | 'username' | 'password';
  label: string;
  hint?: string;
  type?: 'text' | 'password';
  required?: boolean;
  isFixed?: boolean;
  isFirst?: boolean;
}) {
  return (
    <Field label={label} required={required} error={problemAt(props, field)} {...(hint === undefined ? {} : { hint })}>
      {(wiring) => (
        <Input
          {...wiring}
          {...(isFirst ? { 'data-first-focus': '' } : {})}
          type={type}
          readOnly={isFixed}
          autoComplete={type === 'password' ? 'new-password' : 'off'}
          spellCheck={false}
          value={props.draft[field]}
          onChange={(event) => props.onChange({ [field]: event.target.value })}
        />
      )}
    </Field>
  );
}
