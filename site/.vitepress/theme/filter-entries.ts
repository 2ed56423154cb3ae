/** An entry of a page: a table row, a list item, or a heading of the third level with its section. */
type Entry = readonly HTMLElement[];

interface Chapter {
  /** The heading, its introduction, and the tables and lists themselves. Hidden if every entry is. */
  readonly frame: HTMLElement[];
  readonly entries: Entry[];
}

/** Reads the elements after the filter. A heading of the second level begins a chapter. */
function readChapters(filter: Element | undefined): readonly Chapter[] {
  const chapters: Chapter[] = [{ frame: [], entries: [] }];
  let entry: HTMLElement[] | undefined;
  for (let next = filter?.nextElementSibling; next instanceof HTMLElement; next = next.nextElementSibling) {
    if (next.tagName === 'H2') {
      chapters.push({ frame: [], entries: [] });
      entry = undefined;
    }
    const chapter = chapters.at(-1) as Chapter;
    if (next.tagName === 'H3') {
      entry = [];
      chapter.entries.push(entry);
    }
    if (entry) entry.push(next);
    else {
      chapter.frame.push(next);
      for (const row of next.querySelectorAll<HTMLElement>('tbody tr, li')) chapter.entries.push([row]);
    }
  }
  return chapters;
}

/** Shows only the entries that contain every word, without regard to case or accents. Counts them. */
export function filterEntries(filter: Element | undefined, text: string): { shown: number; all: number } {
  const simplify = (words: string) => words.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const words = simplify(text).split(/\s+/).filter(Boolean);
  let shown = 0;
  let all = 0;
  for (const { frame, entries } of readChapters(filter)) {
    let isNeeded = words.length === 0;
    for (const entry of entries) {
      const content = simplify(entry.map(({ textContent }) => textContent).join(' '));
      const matches = words.every((word) => content.includes(word));
      for (const element of entry) element.hidden = !matches;
      all += 1;
      if (matches) shown += 1;
      isNeeded ||= matches;
    }
    for (const element of frame) element.hidden = !isNeeded;
  }
  return { shown, all };
}
