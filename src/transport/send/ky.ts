/** This is a named export, because `require` and `import` treat an ES module's default export differently. */
export { default as ky } from 'ky';
