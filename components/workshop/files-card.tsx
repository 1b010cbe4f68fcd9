import { FilePlus, Pencil, Trash2 } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { DraftTree, type DraftTreeProps } from './draft-tree';
import type { FileQuestion } from './file-dialogs';

/** The file tree with its buttons, which act on the chosen file. */
export function FilesCard({
  onAsk,
  ...tree
}: Omit<DraftTreeProps, 'onRename' | 'onDelete'> & { onAsk: (question: FileQuestion) => void }) {
  const isLast = tree.files.size < 2 ? 'A package has at least one file.' : undefined;
  return (
    <section aria-label="Files of the package" className="card flex h-full flex-col overflow-clip">
      <div className="flex items-center gap-0.5 border-b py-1 ps-3 pe-1">
        <h2 className="me-auto font-medium">Files</h2>
        <Button
          variant="quiet"
          size="small"
          iconOnly
          icon={<FilePlus size={15} aria-hidden="true" />}
          title="New file"
          onClick={() => onAsk({ ask: 'add' })}
        >
          New file
        </Button>
        <Button
          variant="quiet"
          size="small"
          iconOnly
          icon={<Pencil size={14} aria-hidden="true" />}
          title="Rename (F2)"
          onClick={() => onAsk({ ask: 'rename' })}
        >
          Rename {tree.chosen}
        </Button>
        <Button
          variant="quiet"
          size="small"
          iconOnly
          icon={<Trash2 size={14} aria-hidden="true" />}
          title="Delete (Del)"
          disabledReason={isLast}
          onClick={() => onAsk({ ask: 'delete' })}
        >
          Delete {tree.chosen}
        </Button>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <DraftTree
          {...tree}
          onRename={() => onAsk({ ask: 'rename' })}
          onDelete={() => isLast === undefined && onAsk({ ask: 'delete' })}
        />
      </div>
    </section>
  );
}
