'use client';

import { FileUp } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';

/** The text of a kubeconfig, pasted or read of a file, which the browser keeps to itself until the test. */
export function KubeconfigField({
  text,
  problem,
  onChange,
}: {
  text: string;
  problem: string | undefined;
  onChange: (text: string) => void;
}) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div className="grid gap-2">
      <Field
        label="Kubeconfig"
        required
        error={problem}
        hint="With its certificates and its token inside: kubectl config view --minify --flatten --raw."
      >
        {(wiring) => (
          <Textarea
            {...wiring}
            mono
            rows={8}
            className="max-h-64 min-h-40 overflow-y-auto"
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <input
        ref={picker}
        type="file"
        aria-label="Kubeconfig file"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file !== undefined) void file.text().then(onChange);
        }}
      />
      <span>
        <Button size="small" icon={<FileUp size={15} aria-hidden="true" />} onClick={() => picker.current?.click()}>
          Choose a file
        </Button>
      </span>
    </div>
  );
}
