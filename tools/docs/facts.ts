/** The facts of a page or string, which are the same in every language. */
interface Facts {
  readonly numbers: readonly string[];
  readonly names: readonly string[];
  readonly links: readonly string[];
  readonly headings: readonly string[];
  readonly samples: readonly string[];
}

/** Code that one language can write as a word: "if it is true", "o SDK", "wait for". */
const words: ReadonlySet<string> = new Set(['true', 'false', 'await', 'PaymentPlatform']);

const samplePattern = /^```.*?^```/gms;

/** Removes the separators of thousands, and writes decimals with a point. */
const toNumber = (text: string) => text.replaceAll(/[.,](?=\d{3}(?!\d))/g, '').replace(',', '.');

/** Removes what differs between the languages: the anchor, and the way out of docs/pt. */
const toTarget = (link: string) =>
  link
    .replace(/#.*/, '')
    .replace(/^(\.\.\/)+/, '')
    .replace('docs/pt', 'docs')
    .replace(/\.pt(-BR)?(?=\.)/, '');

const matches = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ([, found = '']) => found);

function readFacts(page: string): Facts {
  const text = page.replaceAll(/<!--.*?-->/gs, '');
  const prose = text.replaceAll(samplePattern, '');
  const withoutLinks = prose.replaceAll(/\]\([^)]*\)/g, ']');
  return {
    numbers: matches(withoutLinks.replaceAll(/`[^`\n]+`/g, ''), /(\d(?:[\d.,]*\d)?)/g).map(toNumber),
    names: [...new Set(matches(withoutLinks, /`([^`\n]+)`/g))]
      .map((name) => name.replace(/\/pt$/, ''))
      .filter((name) => !words.has(name)),
    links: matches(prose, /\]\(([^)]*)\)/g).map(toTarget),
    headings: matches(prose, /^(#+) /gm),
    samples: matches(text, /(^```)\S/gm),
  };
}

/** Returns the items that occur more often in one list than in the other. */
function subtract(items: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return items.filter((item) => {
    const index = left.indexOf(item);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

/**
 * Lists the facts that only one of two strings contains: numbers, names in code, links, and the number of headings
 * and samples. A stamp cannot hide such a difference.
 */
export function listDifferences(
  english: string,
  portuguese: string,
  kinds: readonly (keyof Facts)[] = ['numbers', 'names', 'links', 'headings', 'samples'],
): string[] {
  const [en, pt] = [readFacts(english), readFacts(portuguese)];
  return kinds.flatMap((kind) => [
    ...subtract(en[kind], pt[kind]).map((item) => `only English: ${kind} ${item}`),
    ...subtract(pt[kind], en[kind]).map((item) => `only Portuguese: ${kind} ${item}`),
  ]);
}
