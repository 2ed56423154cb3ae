import type { Command } from 'commander';
import { printJson, printTable } from '../output.js';

export function addCardsCommand(program: Command): void {
  program
    .command('cards')
    .description('list the cards, names, documents and domains that select an outcome in the sandbox')
    .option('--json', 'print the values as JSON, on one line')
    .action(async ({ json }: { json?: boolean }) => {
      const { scenarios } = await import('../../index.js');
      if (json === true) return printJson(scenarios);
      printTable(
        ['field', 'value', 'leads to'],
        scenarios.map(({ field, value, leadsTo }) => [field, value, leadsTo.replaceAll('`', '')]),
      );
    });
}
