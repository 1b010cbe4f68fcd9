'use client';

import { useState } from 'react';
import { OPERATOR_FILE, type PackageFiles } from '@/lib/kudo/package/types';
import type { DraftProblem } from '@/lib/workshop/check-draft';
import { sortedFiles, withFile, withoutFile } from '@/lib/workshop/draft-files';
import { quickFixOf } from '@/lib/workshop/quick-fix';
import { replaceScalars } from '@/lib/workshop/yaml-edits';
import type { DraftKeeper } from './draft-keeper';
import type { FileQuestion } from './file-dialogs';

const TEMPLATES = 'templates/';

/** The open file, the line to go to, and what is done to files. */
export function useFileActions(keeper: DraftKeeper, files: PackageFiles) {
  const [wanted, setWanted] = useState(OPERATOR_FILE);
  const [target, setTarget] = useState<{ readonly line: number }>();
  const [question, setQuestion] = useState<FileQuestion>();
  const [first = ''] = files.keys();
  const path = files.has(wanted) ? wanted : first;
  const open = (next: string, line?: number) => {
    setWanted(next);
    setTarget(line === undefined ? undefined : { line });
  };
  const edit = (change: (before: PackageFiles) => PackageFiles) => {
    keeper.edit(change);
    setQuestion(undefined);
  };
  return {
    path,
    target,
    question,
    ask: setQuestion,
    open,
    change: (file: string, text: string) => keeper.edit((before) => withFile(before, file, text)),
    add(next: string) {
      edit((before) => withFile(before, next, ''));
      open(next, 1);
    },
    rename(next: string) {
      edit((before) => renamed(before, path, next));
      open(next);
    },
    remove: () => edit((before) => withoutFile(before, path)),
    go: ({ file, line }: DraftProblem) => open(files.has(file) ? file : OPERATOR_FILE, line),
    fix(problem: DraftProblem) {
      const fix = quickFixOf(problem);
      if (fix === undefined) return;
      keeper.edit(fix.apply);
      const made = [...keeper.view().draft.files.keys()].find((each) => !files.has(each));
      if (made !== undefined) open(made, 1);
    },
  };
}

/** A template with another name keeps its tasks. */
function renamed(files: PackageFiles, from: string, to: string): PackageFiles {
  const text = files.get(from) ?? '';
  const moved = sortedFiles(new Map([...withoutFile(files, from), [to, text]]));
  if (!from.startsWith(TEMPLATES) || !to.startsWith(TEMPLATES)) return moved;
  const operator = files.get(OPERATOR_FILE) ?? '';
  const keys = [from.slice(TEMPLATES.length), to.slice(TEMPLATES.length)] as const;
  return withFile(moved, OPERATOR_FILE, replaceScalars(operator, ...keys));
}
