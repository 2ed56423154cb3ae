/** By its name: the default export of an ES module cannot be required in the same way as it is imported. */
export { default as ky } from 'ky';
