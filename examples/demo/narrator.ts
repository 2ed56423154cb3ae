import pc from 'picocolors';

/** Tells a person what happens, and keeps the account of what held. */
export class Narrator {
  #failed = 0;
  #chapter = 0;
  readonly #started = performance.now();

  /** One chapter, with its time. Whatever it throws is a check that did not hold. */
  async chapter(title: string, tell: () => Promise<void>): Promise<void> {
    console.log(`\n${pc.bold(pc.cyan(`${++this.#chapter}. ${title}`))}`);
    const started = performance.now();
    try {
      await tell();
    } catch (error) {
      this.check(`no error (${error instanceof Error ? error.message : String(error)})`, false);
    }
    console.log(pc.dim(`   ${(performance.now() - started).toFixed(0)} ms`));
  }

  /** What happens. */
  say(text: string): void {
    console.log(`   ${text}`);
  }

  /** A name and its value. */
  show(name: string, value: unknown): void {
    console.log(`   ${pc.dim(`${name}:`.padEnd(20))} ${String(value)}`);
  }

  /** A claim, and whether it holds. */
  check(claim: string, holds: boolean): void {
    if (!holds) this.#failed++;
    console.log(`   ${holds ? pc.green('✓') : pc.red('✗')} ${holds ? claim : pc.red(claim)}`);
  }

  /** The last line. Returns the exit code of the process. */
  end(): number {
    const seconds = ((performance.now() - this.#started) / 1000).toFixed(1);
    console.log(
      this.#failed === 0
        ? pc.green(`\nEvery check held, in ${seconds} s. Nothing left this machine.`)
        : pc.red(`\n${this.#failed} ${this.#failed === 1 ? 'check' : 'checks'} did not hold.`),
    );
    return this.#failed === 0 ? 0 : 1;
  }
}

/** Cents as a person in Brazil reads them. */
export function reais(cents: number): string {
  return new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' }).format(cents / 100);
}
