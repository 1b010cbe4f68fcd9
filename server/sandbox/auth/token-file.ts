import { TerminalError } from '@/lib/errors/errors';
import type { UserInfo } from '../rbac/user';

/**
 * kube-apiserver's token file: lines of `token,user,uid,"group1,group2"`, the last column optional. Throws a TerminalError
 * with the line for what cannot be read.
 */
export function parseTokenFile(text: string): Map<string, UserInfo> {
  const users = new Map<string, UserInfo>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const fields = splitCsv(line);
    const [token = '', name = '', uid = '', groups = ''] = fields;
    if (fields.length < 3 || token === '') {
      throw new TerminalError(`Line ${index + 1} of the token file must be: token,user,uid,"groups".`, 'BadTokenFile');
    }
    const list = groups.split(',').map((group) => group.trim());
    users.set(token, { name, uid, groups: list.filter((group) => group !== ''), extra: {} });
  }
  return users;
}

/** The fields of a line; one in double quotes may contain commas, and quotes written twice. */
function splitCsv(line: string): string[] {
  const fields = line.matchAll(/(?:^|,)\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?=,|$)/g);
  return [...fields].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim());
}
