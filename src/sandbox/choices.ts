export { answerStatus, transitions } from './choices/values.js';
