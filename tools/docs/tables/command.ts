import type { Argument, Command, Option } from 'commander';
import { createProgram } from '../../../sandbox/cli/program.js';
import { inLanguage, type Language } from '../words.js';

/** Lists a command and its subcommands. */
const withChildren = (command: Command, path: string): [string, Command][] => [
  [path, command],
  ...command.commands.flatMap((child) => withChildren(child, `${path} ${child.name()}`)),
];

/** Lists every command with its path, such as `payment-platform faults add`. */
export const commands = (): [string, Command][] => withChildren(createProgram(), 'payment-platform');

/** Words of a help text that describe no command. */
const fixedWords = {
  'Usage:': 'Uso:',
  'Arguments:': 'Argumentos:',
  'Options:': 'Opções:',
  'Commands:': 'Comandos:',
  'Examples:': 'Exemplos:',
  'Example:': 'Exemplo:',
  'default: ': 'padrão: ',
  'choices: ': 'valores: ',
  '[options]': '[opções]',
  '[command]': '[comando]',
};

const toPortuguese = (text: string): string =>
  Object.entries(fixedWords).reduce((result, [english, word]) => result.replace(english, word), text);

const width = 76;

/** Returns a command's help as the command prints it, with its examples. */
function renderHelp(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => width });
  command.outputHelp();
  return text.trimEnd();
}

/** Returns the paragraphs that a command's help adds after its options, such as examples. */
const listAddedParagraphs = (command: Command): string[] => {
  const added = renderHelp(command).slice(command.helpInformation().trimEnd().length).trim();
  return added === '' ? [] : added.split('\n\n');
};

/** Finds the usual description of each option. It is translated once for all commands. */
function findUsualDescriptions(all: readonly [string, Command][]): ReadonlyMap<string, string> {
  const options = all.flatMap(([, command]) => command.createHelp().visibleOptions(command));
  const count = (option: Option) =>
    options.filter(({ flags, description }) => flags === option.flags && description === option.description)
      .length;
  // The last entry of a flag remains, which is the most frequent one.
  const sorted = [...options].sort((one, other) => count(one) - count(other));
  return new Map(sorted.map(({ flags, description }) => [flags, description]));
}

const translate = (name: string, text: string) => inLanguage('pt', `command.${name}`, text);

/** Translates the descriptions of a command, its options and its arguments. */
function translateDescriptions(path: string, command: Command, usual: ReadonlyMap<string, string>): void {
  const help = command.createHelp();
  command.description(translate(path, command.description()));
  for (const option of help.visibleOptions(command)) {
    const owner = usual.get(option.flags) === option.description ? 'any command' : path;
    option.description = translate(`${owner} ${option.flags}`, option.description);
  }
  for (const argument of help.visibleArguments(command))
    argument.description = translate(`${path} <${argument.name()}>`, argument.description);
  const generated = help.visibleCommands(command).find((child) => !command.commands.includes(child));
  generated?.description(translate('any command help', generated.description()));
}

/** Formats the help of a command whose descriptions are translated. */
function formatPortugueseHelp(command: Command): string {
  const help = command.createHelp();
  const english = command.createHelp();
  Object.assign(help, {
    helpWidth: width,
    styleTitle: toPortuguese,
    commandUsage: (item: Command) => toPortuguese(english.commandUsage(item)),
    subcommandTerm: (item: Command) => toPortuguese(english.subcommandTerm(item)),
    optionDescription: (item: Option) => toPortuguese(english.optionDescription(item)),
    argumentDescription: (item: Argument) => toPortuguese(english.argumentDescription(item)),
  });
  return help.formatHelp(command, help).trimEnd();
}

function renderPortugueseHelps(all: readonly [string, Command][]): string[] {
  const usual = findUsualDescriptions(all);
  const added = all.map(([path, command]) =>
    listAddedParagraphs(command).map((paragraph, index) =>
      /^Examples?:/.test(paragraph)
        ? toPortuguese(paragraph)
        : translate(`${path}, paragraph ${index + 1}`, paragraph),
    ),
  );
  for (const [path, command] of all) translateDescriptions(path, command, usual);
  return all.map(([, command], index) =>
    [formatPortugueseHelp(command), ...(added[index] ?? [])].join('\n\n'),
  );
}

/** Lists the help of every command. */
export function commandHelps(language: Language): string {
  const all = commands();
  const helps =
    language === 'en' ? all.map(([, command]) => renderHelp(command)) : renderPortugueseHelps(all);
  return all.map(([path], index) => `## ${path}\n\n\`\`\`text\n${helps[index]}\n\`\`\`\n`).join('\n');
}
