import type { FunctionTable } from './define';

export const cryptoFunctions: FunctionTable = {};
