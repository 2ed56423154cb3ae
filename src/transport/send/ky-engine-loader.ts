/** The engine over fetch, loaded with the first call. */
export const kyEngine = () => import('./ky-engine.js');
