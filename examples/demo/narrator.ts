import pc from 'picocolors';

/** Prints each step of the demo, and counts the failed checks. */
export class Narrator {
  #failed = 0;
  #chapter = 0;
  readonly #started = performance.now();

  /** Runs and times a chapter. An error counts as a failed check. */
  async chapter(title: string, run: () => Promise<void>): Promise<void> {
    console.log(`\n${pc.bold(pc.cyan(`${++this.#chapter}. ${title}`))}`);
    const started = performance.now();
    try {
      await run();
    } catch (error) {
      this.check(`No error: ${error instanceof Error ? error.message : String(error)}`, false);
    }
    console.log(pc.dim(`   ${(performance.now() - started).toFixed(0)} ms`));
  }

  /** Prints a line. */
  say(text: string): void {
    console.log(`   ${text}`);
  }

  /** Prints a name and its value. */
  show(name: string, value: unknown): void {
    console.log(`   ${pc.dim(`${name}:`.padEnd(20))} ${String(value)}`);
  }

  /** Prints a claim, and whether it is true. */
  check(claim: string, isTrue: boolean): void {
    if (!isTrue) this.#failed++;
    console.log(`   ${isTrue ? pc.green('✓') : pc.red('✗')} ${isTrue ? claim : pc.red(claim)}`);
  }

  /** Prints the summary. Returns the exit code of the process. */
  end(): number {
    const seconds = ((performance.now() - this.#started) / 1000).toFixed(1);
    console.log(
      this.#failed === 0
        ? pc.green(`\nAll checks passed in ${seconds} s. No request left this machine.`)
        : pc.red(`\n${this.#failed} ${this.#failed === 1 ? 'check' : 'checks'} failed.`),
    );
    return this.#failed === 0 ? 0 : 1;
  }
}

/** Formats cents as R$ 19,90. */
export function reais(cents: number): string {
  return new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' }).format(cents / 100);
}
