import config from '../vitest.config.ts';
export default { root: import.meta.dirname, resolve: config.resolve, test: { include: ['*.test.js'] } };