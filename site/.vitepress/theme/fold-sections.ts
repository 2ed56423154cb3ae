/** A page of this height in pixels is folded on a phone: about eleven screens. */
const longPage = 9_500;

/** A page with fewer sections than this also folds the sections of the third level. */
const fewSections = 9;

/** The elements of a section, without its heading. */
function* bodyOf(heading: Element, headings: ReadonlySet<Element>): Generator<Element> {
  for (let next = heading.nextElementSibling; next && !headings.has(next); next = next.nextElementSibling)
    yield next;
}

function setFolded(heading: Element, headings: ReadonlySet<Element>, isFolded: boolean): void {
  for (const element of bodyOf(heading, headings)) element.classList.toggle('folded', isFolded);
  heading.querySelector('.fold')?.setAttribute('aria-expanded', String(!isFolded));
}

const findLinked = () => document.getElementById(decodeURIComponent(location.hash).slice(1));

/** Folds the sections of a long page on a phone, except the one that a link leads to. */
export function foldSections(label: string): void {
  const content = document.querySelector('.vp-doc > div');
  if (!matchMedia('(max-width: 640px)').matches || content === null || content.scrollHeight < longPage)
    return;
  const chapters = [...content.querySelectorAll(':scope > h2')];
  const chosen =
    chapters.length < fewSections ? [...content.querySelectorAll(':scope > :is(h2, h3)')] : chapters;
  // A filter stays on the screen, so it belongs to no section.
  const filter = content.querySelector(':scope > .filter');
  const headings = new Set(chosen.filter((heading) => !filter || follows(heading, filter)));
  for (const heading of headings) {
    if ([...bodyOf(heading, headings)].length === 0 || heading.querySelector('.fold')) continue;
    const button = document.createElement('button');
    button.className = 'fold';
    button.ariaLabel = `${label}: ${heading.textContent?.replace(/[\s\u200b]+$/, '')}`;
    button.onclick = () => setFolded(heading, headings, button.ariaExpanded === 'true');
    heading.append(button);
    setFolded(heading, headings, true);
  }
  const showLinked = () => {
    const target = findLinked();
    const linked = [...headings].find(
      (heading) =>
        heading === target || [...bodyOf(heading, headings)].some((element) => element.contains(target)),
    );
    if (!linked) return;
    setFolded(linked, headings, false);
    target?.scrollIntoView();
  };
  showLinked();
  // Ends with the page: its elements are gone after a change of page.
  addEventListener('hashchange', function show() {
    if (content.isConnected) showLinked();
    else removeEventListener('hashchange', show);
  });
}

const follows = (element: Element, other: Element) =>
  (other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
