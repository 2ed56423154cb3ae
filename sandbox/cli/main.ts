import { exitCodes, reportFailure } from './failure.js';
import { createProgram } from './program.js';
import { isOutputLost, watchOutput } from './write.js';

watchOutput();
try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
process.once('exit', () => {
  if (isOutputLost()) process.exitCode ||= exitCodes.rejected;
});
