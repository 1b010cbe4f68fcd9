import type { FunctionTable } from './define';

export const caseFunctions: FunctionTable = {};
