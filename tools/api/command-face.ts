import type { Command } from 'commander';
import { createProgram } from '../../sandbox/cli/program.js';
import type { Item, PublicApi } from './face.js';

/**
 * Lists the commands below a command, each with its arguments and options. Hidden commands are not part of
 * the API.
 */
function listItems(command: Command, path: readonly string[]): Item[] {
  const below = command.createHelp().visibleCommands(command);
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map((option) => `    ${option.attributeName()}${option.mandatory ? '' : '?'}: "${option.flags}";`);
  const args = command.registeredArguments.map((each) => ` ${each.required ? '' : '?'}${each.name()}`);
  const own = { name: path.join(' '), isValue: false };
  return [
    { ...own, text: `command${args.join('')} {\n${options.join('\n')}\n}` },
    ...below
      .filter((each) => each.name() !== 'help')
      .flatMap((each) => listItems(each, [...path, each.name()])),
  ];
}

/** Describes the command's public API: the commands, arguments and options that scripts can rely on. */
export const commandFace = (): PublicApi => {
  const program = createProgram();
  return {
    specifier: 'The command',
    exported: listItems(program, [program.name()]),
    elsewhere: [],
    unexported: [],
  };
};
