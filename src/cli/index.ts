#!/usr/bin/env node
import { CommanderError } from 'commander';
import { fail } from './failure.js';
import { createProgram } from './program.js';

try {
  await createProgram().parseAsync();
} catch (error) {
  // Commander has said already what is wrong with the arguments.
  process.exitCode =
    error instanceof CommanderError ? (error.exitCode === 0 ? 0 : exitOf(error)) : fail(error);
}

function exitOf({ exitCode }: CommanderError): number {
  return exitCode === 1 ? 2 : exitCode;
}
