/** The strategies of built-in kinds, and of the versions of CustomResourceDefinitions. */
export { builtinStrategy as builtinStrategyOf, customStrategy as customStrategyOf } from '../kinds/strategies';
