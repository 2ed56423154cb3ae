export { domainStatus } from '../choices/values.js';
