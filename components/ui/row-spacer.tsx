/** Holds the place of rows of a long table that are not drawn; nothing when all of them are. */
export function RowSpacer({ heightPx, columns }: { heightPx: number; columns: number }) {
  if (heightPx <= 0) return null;
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it holds the place of rows that are not drawn
    <tr role="presentation">
      <td colSpan={columns} className="!p-0 !border-0" style={{ height: heightPx }} />
    </tr>
  );
}
