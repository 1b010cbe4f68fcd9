import type { FunctionTable } from '../functions/define';

export const timeMethods: FunctionTable = {};
