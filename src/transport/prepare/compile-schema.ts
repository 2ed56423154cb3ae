/** What generates a function from a schema. It is loaded when a schema is worth it: it is half of zod. */
export { compile as compileSchema } from '../../contract/zod.js';
