'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { PackageFiles } from '@/lib/kudo/package/types';
import { pathProblem } from '@/lib/workshop/draft-files';

/** What is asked about the files: a new one, another name of one, or whether one is to be deleted. */
export type FileQuestion = { readonly ask: 'add' | 'rename' | 'delete' };

interface FileDialogProps {
  readonly question: FileQuestion | undefined;
  readonly files: PackageFiles;
  /** The chosen file. */
  readonly path: string;
  readonly onClose: () => void;
  readonly onAdd: (path: string) => void;
  readonly onRename: (to: string) => void;
  readonly onDelete: () => void;
}

/** The dialogs of the file tree. */
export function FileDialogs({ question, files, path, onClose, onAdd, onRename, onDelete }: FileDialogProps) {
  if (question?.ask === 'delete') {
    return (
      <Dialog
        open
        onClose={onClose}
        title="Delete file"
        footer={
          <>
            <Button onClick={onClose}>Keep</Button>
            <Button variant="destroy" onClick={onDelete}>
              Delete {path}
            </Button>
          </>
        }
      >
        <p>
          File <code>{path}</code> is deleted from this draft. The published package does not change.
        </p>
      </Dialog>
    );
  }
  return question === undefined ? null : (
    <PathDialog
      key={question.ask}
      title={question.ask === 'add' ? 'New file' : 'Rename file'}
      verb={question.ask === 'add' ? 'Create' : 'Rename'}
      hint={
        question.ask === 'add'
          ? 'Templates are files ending with .yaml in the folder templates.'
          : 'Tasks that name the template are changed too.'
      }
      initial={question.ask === 'add' ? 'templates/' : path}
      problemOf={(next) =>
        question.ask === 'rename' && next === path ? 'Enter another name.' : pathProblem(next, files)
      }
      onClose={onClose}
      onDone={question.ask === 'add' ? onAdd : onRename}
    />
  );
}

function PathDialog({
  title,
  verb,
  hint,
  initial,
  problemOf,
  onClose,
  onDone,
}: {
  title: string;
  verb: string;
  hint: string;
  initial: string;
  problemOf: (path: string) => string | undefined;
  onClose: () => void;
  onDone: (path: string) => void;
}) {
  const [path, setPath] = useState(initial);
  const problem = problemOf(path);
  return (
    <Dialog open onClose={onClose} title={title}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (problem === undefined) onDone(path);
        }}
      >
        <Field label="Path in the package" hint={hint} error={path === initial ? undefined : problem}>
          {(wiring) => (
            <Input
              {...wiring}
              mono
              data-first-focus=""
              spellCheck={false}
              autoComplete="off"
              value={path}
              onChange={(event) => setPath(event.target.value)}
            />
          )}
        </Field>
        <span className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabledReason={problem}>
            {verb}
          </Button>
        </span>
      </form>
    </Dialog>
  );
}
