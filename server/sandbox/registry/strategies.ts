import { builtinStrategy, customStrategy } from '../kinds/strategies';

/** The strategies of built-in and of custom kinds. */
export { builtinStrategy as builtinStrategyOf, customStrategy as customStrategyOf };
