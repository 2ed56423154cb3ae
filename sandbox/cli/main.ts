import { CommanderError } from 'commander';
import { exitCodes, reportFailure } from './failure.js';
import { createProgram } from './program.js';
import { isOutputLost, watchOutput } from './write.js';

watchOutput();
try {
  await createProgram().parseAsync();
} catch (error) {
  // Commander has already printed the problem with the arguments.
  process.exitCode = error instanceof CommanderError ? toExitCode(error) : reportFailure(error);
}
process.once('exit', () => {
  if (isOutputLost()) process.exitCode ||= exitCodes.rejected;
});

function toExitCode({ exitCode }: CommanderError): number {
  return exitCode === 1 ? exitCodes.usage : exitCode;
}
