/**
 * A named export, because the default export of an ES module is required differently from how it is imported.
 */
export { default as ky } from 'ky';
