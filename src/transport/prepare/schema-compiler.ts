export const loadCompiler = () => import('./compile-schema.js');
